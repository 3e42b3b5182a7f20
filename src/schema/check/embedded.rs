//! Checks `x-kubernetes-embedded-resource`, which marks a field that contains a complete Kubernetes object, and
//! reports keywords that contradict each other in such a schema.

use crate::finding::Lint;
use crate::schema::extensions::{INT_OR_STRING, PRESERVE, is_true};
use crate::schema::finding::Findings;
use crate::schema::marks::rust_type;
use crate::schema::path::{FieldPath, Step, children};
use serde_json::Value;

pub(crate) static EMBEDDED_RESOURCE: Lint = Lint::error(
    "OP124",
    "an embedded resource that is not a Kubernetes object",
    "`x-kubernetes-embedded-resource` is for whole objects with `apiVersion`, `kind` and `metadata`; a field that can \
     be an integer or a string cannot also be an object or keep unknown fields. The server reports, for example, \
     `must be object if x-kubernetes-embedded-resource is true`.",
    "#[schemars(extend(\"x-kubernetes-embedded-resource\" = true))]\nname: String,",
    "#[schemars(extend(\"x-kubernetes-embedded-resource\" = true, \"x-kubernetes-preserve-unknown-fields\" = true))]\n\
     template: kube::core::DynamicObject,",
);

const EMBEDDED: &str = "x-kubernetes-embedded-resource";

const HINT: &str = "for any object of Kubernetes:\n\
    #[schemars(extend(\"x-kubernetes-embedded-resource\" = true, \"x-kubernetes-preserve-unknown-fields\" = true))]\n\
    on a `kube::core::DynamicObject` or a `RawExtension`";

/// Checks `x-kubernetes-embedded-resource` in one schema.
pub(super) fn check(node: &Value, path: &FieldPath, findings: &mut Findings) {
    let rust = rust_type(node);
    let mut wrong = |path: &FieldPath, reason: String, hint: &str| {
        findings.add(&EMBEDDED_RESOURCE, path, rust.clone(), reason, hint);
    };
    if is_true(node, INT_OR_STRING) {
        for other in [PRESERVE, EMBEDDED].into_iter().filter(|other| is_true(node, other)) {
            wrong(path, format!("has both `{INT_OR_STRING}` and `{other}`"), "keep only one of the two");
        }
        return;
    }
    if !is_true(node, EMBEDDED) {
        return;
    }
    let fields = node.get("properties").and_then(Value::as_object);
    if node.get("type").is_none_or(|name| name != "object") {
        wrong(path, "is an embedded resource, and its type is not `object`".to_owned(), HINT);
    }
    if node.get("additionalProperties").is_some() {
        wrong(path, "is both an embedded resource and a map".to_owned(), HINT);
    }
    if !is_true(node, PRESERVE) && fields.is_none_or(serde_json::Map::is_empty) {
        wrong(path, format!("is an embedded resource without fields and without `{PRESERVE}`"), HINT);
    }
    for (name, expected) in [("apiVersion", "string"), ("kind", "string"), ("metadata", "object")] {
        let Some(field) = fields.and_then(|fields| fields.get(name)) else { continue };
        let path = path.field(name);
        if field.get("type").is_none_or(|name| name != expected) {
            wrong(&path, format!("belongs to an embedded resource, and is not of the type `{expected}`"), HINT);
        }
        check_metadata(field, &path, false, &mut |path, reason| wrong(path, reason.to_owned(), "remove it there"));
    }
}

/// Reports keywords that are forbidden in the metadata of an embedded resource. `in_map` is true if `node` is inside
/// the values of a map, where a default is also forbidden.
fn check_metadata(node: &Value, path: &FieldPath, in_map: bool, wrong: &mut dyn FnMut(&FieldPath, &str)) {
    if is_true(node, EMBEDDED) {
        wrong(path, "is an embedded resource within the metadata of another");
    }
    if in_map && node.get("default").is_some() {
        wrong(path, "has a default in a map within the metadata of an embedded resource");
    }
    for (step, child) in children(node) {
        check_metadata(child, &path.step(step), in_map || step == Step::Value, wrong);
    }
}
