//! The names that CEL has in Kubernetes: from the language, from cel-go's extensions, and from apiserver
//! `pkg/cel/library`. A superfluous name does no harm, because the API server checks rules again; a missing name
//! would cause a false finding.

use crate::model::most_like;

const FUNCTIONS: &str = "all bool bytes contains double duration dyn endsWith exists existsOne exists_one filter getDate \
    getDayOfMonth getDayOfWeek getDayOfYear getFullYear getHours getMilliseconds getMinutes getMonth \
    getSeconds has int map matches size startsWith string timestamp transformList transformMap \
    transformMapEntry type uint in list null_type bind block index iterVar accuVar first hasValue last \
    none of ofNonZeroValue optFlatMap optMap or orValue unwrap unwrapOpt value charAt format indexOf \
    join lastIndexOf lowerAscii quote replace reverse split substring trim upperAscii find findAll \
    capture captureN captureAll extract extractAll distinct flatten range slice sort sortBy isSorted max \
    min sum equivalent intersects encode decode abs bitAnd bitNot bitOr bitShiftLeft \
    bitShiftRight bitXor ceil floor greatest isFinite isInf isNaN least round sign sqrt trunc hash \
    transform getEscapedPath getHost getHostname getPort getQuery getScheme isURL url containsCIDR \
    containsIP cidr family ip isCIDR isCanonical isGlobalUnicast isIP isLinkLocalMulticast \
    isLinkLocalUnicast isLoopback isUnspecified masked prefixLength add asApproximateFloat asInteger \
    compareTo isGreaterThan isInteger isLessThan isQuantity quantity sub isSemver major minor patch \
    semver validate named dns1123Label dns1123Subdomain dns1035Label qualifiedName dns1123LabelPrefix \
    dns1123SubdomainPrefix dns1035LabelPrefix labelValue uri uuid byte date datetime escapeKey allowed \
    check error errored fieldSelector group labelSelector name namespace path reason requestResource \
    resource serviceAccount subresource";

/// The identifiers that CEL itself defines, and that therefore are not unknown variables: the names of types, and the
/// namespaces of functions.
const NAMES: &str = "bool bytes double dyn int list map null_type string type uint optional_type google kubernetes net \
    cel optional sets lists math strings base64 json jsonpatch ip cidr format quantity semver url regex \
    proto authorizer timestamp duration";

/// The macros that accept two variables, as in `all(key, value, ..)`.
pub(super) const TWO_VARIABLES: [&str; 7] =
    ["all", "exists", "existsOne", "exists_one", "transformList", "transformMap", "transformMapEntry"];

/// Returns true if CEL has a function or an operator of this name.
pub(super) fn is_function(name: &str) -> bool {
    let operator = name.starts_with(['@', '_', '!', '-', '.']);
    operator || FUNCTIONS.split(' ').any(|known| known == name)
}

/// Returns true if CEL defines the identifier, as the name of a type or as the namespace of functions.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with('@') || NAMES.split(' ').any(|known| known == name)
}

/// Returns the name of the function that the author of the rule probably meant instead of `name`.
pub(super) fn intended_function(name: &str) -> Option<&'static str> {
    // Names of such functions in other languages.
    let other = match name {
        "len" | "length" | "count" => Some("size"),
        "toLower" | "toLowerCase" | "lower" | "toLowerAscii" => Some("lowerAscii"),
        "toUpper" | "toUpperCase" | "upper" | "toUpperAscii" => Some("upperAscii"),
        "hasPrefix" | "starts_with" => Some("startsWith"),
        "hasSuffix" | "ends_with" => Some("endsWith"),
        "any" | "some" => Some("exists"),
        "every" => Some("all"),
        "match" | "regex" => Some("matches"),
        "includes" => Some("contains"),
        _ => None,
    };
    other.or_else(|| most_like(name, FUNCTIONS.split_whitespace()))
}
