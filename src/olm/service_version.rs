//! Checks the `ClusterServiceVersion` by the rules that apply to every bundle.

use super::bundle::Bundle;
use super::format::PREFIX;
use super::manifest::{Manifest, annotations, list, text};
use super::other_objects::is_label_value;
use crate::finding::{Finding, Lint};
use crate::model::{check_image, object_name_rule};
use semver::Version;
use serde_json::Value;

pub(super) static LINTS: &[&Lint] = &[
    &NAME,
    &VERSION,
    &FIELD,
    &INSTALL_MODES,
    &OLDEST,
    &NO_OLDEST,
    &ANNOTATION_CASE,
    &PROPERTIES_ANNOTATION,
    &RELATED_IMAGE,
];

pub(super) static NAME: Lint = Lint::error(
    "OP711",
    "an invalid name of a ClusterServiceVersion",
    "The name and the name in `replaces` become object names and label values, so each must be a DNS subdomain of at \
     most 63 characters. OLM tools report `metadata.name .. is invalid`.",
    "metadata: {name: Web_Operator.v1.0.0}",
    "metadata: {name: web-operator.v1.0.0}",
);

pub(super) static VERSION: Lint = Lint::error(
    "OP712",
    "a ClusterServiceVersion without `spec.version`",
    "OLM orders the bundles of a package by `spec.version`. OLM tools report `csv.Spec.Version must be set`.",
    "spec: {displayName: Web}",
    "spec: {displayName: Web, version: 1.0.0}",
);

pub(super) static FIELD: Lint = Lint::error(
    "OP713",
    "a ClusterServiceVersion without a required field",
    "OLM needs the apiVersion, a display name, and the Deployments to install. OLM tools report `required field \
     missing`.",
    "spec: {version: 1.0.0}",
    "spec: {version: 1.0.0, displayName: Web, install: {strategy: deployment, spec: {deployments: [..]}}}",
);

pub(super) static INSTALL_MODES: Lint = Lint::error(
    "OP714",
    "install modes with which OLM cannot install the operator",
    "An install mode determines which namespaces the operator watches. At least one mode must be supported. With a \
     conversion webhook, only `AllNamespaces` may be supported, because a CRD has one webhook for the whole cluster.",
    "installModes:\n- {type: AllNamespaces, supported: false}",
    "installModes:\n- {type: AllNamespaces, supported: true}",
);

pub(super) static OLDEST: Lint = Lint::error(
    "OP715",
    "a `minKubeVersion` that is not a semantic version",
    "`minKubeVersion` must be a semantic version with three numbers. OLM tools report `csv.Spec.MinKubeVersion has an \
     invalid value`.",
    "minKubeVersion: v1.30",
    "minKubeVersion: 1.30.0",
);

pub(super) static NO_OLDEST: Lint = Lint::warning(
    "OP716",
    "a ClusterServiceVersion without `minKubeVersion`",
    "Without `minKubeVersion`, OLM also installs the operator in clusters that are older than the tested versions.",
    "spec: {version: 1.0.0}",
    "spec: {version: 1.0.0, minKubeVersion: 1.30.0}",
);

pub(super) static ANNOTATION_CASE: Lint = Lint::error(
    "OP719",
    "an OLM annotation whose name has the wrong letter case",
    "The names of annotations are case-sensitive, so OLM does not recognize this annotation.",
    "annotations: {olm.skiprange: \"<1.0.0\"}",
    "annotations: {olm.skipRange: \"<1.0.0\"}",
);

pub(super) static PROPERTIES_ANNOTATION: Lint = Lint::warning(
    "OP720",
    "bundle properties in the annotation `olm.properties` instead of a file",
    "Properties of a bundle belong in the file `metadata/properties.yaml`.",
    "annotations: {olm.properties: '[{\"type\": \"olm.maxOpenShiftVersion\", \"value\": \"4.18\"}]'}",
    "# bundle/metadata/properties.yaml\nproperties:\n- {type: olm.maxOpenShiftVersion, value: \"4.18\"}",
);

pub(super) static RELATED_IMAGE: Lint = Lint::error(
    "OP746",
    "an entry of `relatedImages` that is not a valid image reference",
    "Tools copy the images in `relatedImages` to registries without internet access, so each entry must be a valid \
     image reference.",
    "relatedImages: [{name: web, image: \"Registry/Web:\"}]",
    "relatedImages: [{name: web, image: \"registry.example.com/web:1.0.0\"}]",
);

/// The names of OLM annotations that contain upper-case letters, to find annotations that differ from such a name only
/// in case.
const CASE_SENSITIVE: [&str; 5] =
    ["olm.operatorGroup", "olm.operatorNamespace", "olm.targetNamespaces", "olm.providedAPIs", "olm.skipRange"];

pub(super) fn check(version: &Manifest) -> Vec<Finding> {
    let mut findings = names(version);
    findings.extend(fields(version));
    findings.extend(install_modes(version));
    findings.extend(oldest(version));
    for (name, _) in annotations(&version.value) {
        let place = format!("/metadata/annotations/{}", name.replace('/', "~1"));
        let known = CASE_SENSITIVE.iter().find(|known| known.eq_ignore_ascii_case(name) && **known != name);
        if let Some(known) = known {
            let reason = format!("the annotation `{name}` must be spelled `{known}`");
            findings.push(version.finding(&ANNOTATION_CASE, &place, reason, format!("{known}: ..")));
        }
        if name == "olm.properties" {
            let reason = "the ClusterServiceVersion has the annotation `olm.properties`";
            let hint = "move the properties to `metadata/properties.yaml`";
            findings.push(version.finding(&PROPERTIES_ANNOTATION, &place, reason, hint));
        }
    }
    findings
}

fn names(version: &Manifest) -> Vec<Finding> {
    let rule = |name: &str| {
        let long =
            || (!is_label_value(name)).then(|| "it must have at most 63 characters, as it becomes a label".to_owned());
        object_name_rule(name).or_else(long)
    };
    let name = version.name();
    let own = rule(name).map(|rule| ("/metadata/name", "metadata.name", name, rule));
    let replaced = version.text_at("/spec/replaces");
    let replaced = Some(replaced).filter(|name| !name.is_empty());
    let replaced = replaced.and_then(|name| Some(("/spec/replaces", "spec.replaces", name, rule(name)?)));
    let wrong = own.into_iter().chain(replaced);
    wrong
        .map(|(place, field, name, rule)| {
            let reason = format!("`{field}` of the ClusterServiceVersion is `{name}`, but {rule}");
            version.finding(&NAME, place, reason, "name: web-operator.v1.0.0")
        })
        .collect()
}

/// Checks that a `ClusterServiceVersion` with `spec.release` is named after its package, version and release.
pub(super) fn release(bundle: &Bundle, version: &Manifest) -> Option<Finding> {
    let release = Some(version.text_at("/spec/release")).filter(|release| !release.is_empty())?;
    let package = bundle.annotation(&format!("{PREFIX}package.v1")).unwrap_or_default();
    let expected = format!("{package}-v{}-{release}", version.text_at("/spec/version"));
    (version.name() != expected).then(|| {
        let reason = format!("the ClusterServiceVersion of the release `{release}` is not named `{expected}`");
        version.finding(&NAME, "/metadata/name", reason, format!("name: {expected}"))
    })
}

fn fields(version: &Manifest) -> Vec<Finding> {
    let deployments = version.value.pointer("/spec/install/spec/deployments");
    let missing = [
        ("/apiVersion", version.text_at("/apiVersion").is_empty(), "apiVersion: operators.coreos.com/v1alpha1"),
        ("/spec/displayName", version.text_at("/spec/displayName").is_empty(), "displayName: Web Operator"),
        ("/spec/install/strategy", version.text_at("/spec/install/strategy").is_empty(), "strategy: deployment"),
        ("/spec/install/spec/deployments", deployments.is_none(), "deployments: [{name: web-operator, spec: {..}}]"),
    ];
    let missing = missing.into_iter().filter(|(_, is_missing, _)| *is_missing);
    missing
        .map(|(place, _, hint)| {
            let field = place.trim_start_matches('/').replace('/', ".");
            version.finding(&FIELD, place, format!("the ClusterServiceVersion has no `{field}`"), hint)
        })
        .collect()
}

fn install_modes(version: &Manifest) -> Vec<Finding> {
    const PLACE: &str = "/spec/installModes";
    let modes = version.list(PLACE);
    let hint = "installModes:\n- {type: AllNamespaces, supported: true}";
    if modes.is_empty() {
        let reason = "the ClusterServiceVersion has no `installModes`";
        return vec![version.finding(&INSTALL_MODES, PLACE, reason, hint)];
    }
    let is_all = |mode: &&Value| mode["type"] == "AllNamespaces";
    let mut findings = Vec::new();
    let converting =
        version.list("/spec/webhookdefinitions").iter().any(|webhook| !list(webhook, "/conversionCRDs").is_empty());
    if converting && modes.iter().any(|mode| is_all(&mode) != (mode["supported"] == true)) {
        let reason = "the operator converts CRDs with a webhook, so it can support only `AllNamespaces`";
        findings.push(version.finding(&INSTALL_MODES, PLACE, reason, hint));
    }
    if modes.iter().all(|mode| mode["supported"] != true) {
        let reason = "the ClusterServiceVersion supports none of its `installModes`";
        findings.push(version.finding(&INSTALL_MODES, PLACE, reason, hint));
    }
    findings
}

fn oldest(version: &Manifest) -> Option<Finding> {
    const PLACE: &str = "/spec/minKubeVersion";
    let oldest = version.text_at(PLACE);
    let hint = "minKubeVersion: 1.30.0";
    if oldest.trim().is_empty() {
        let reason = "the ClusterServiceVersion has no `minKubeVersion`";
        return Some(version.finding(&NO_OLDEST, "/spec", reason, hint));
    }
    Version::parse(oldest).is_err().then(|| {
        let reason = format!("`minKubeVersion` is `{oldest}`, which is not a semantic version of three numbers");
        version.finding(&OLDEST, PLACE, reason, hint)
    })
}

/// Checks that the related images of the operator are valid image references.
pub(super) fn related_images(version: &Manifest) -> Vec<Finding> {
    let images = version.list("/spec/relatedImages").iter().map(|image| text(image, "/image")).enumerate();
    let wrong = images.filter(|(_, image)| check_image(image).is_err());
    wrong
        .map(|(index, image)| {
            let reason = format!("the related image `{image}` is not a reference to an image");
            let hint = "image: registry.example.com/web:1.0.0";
            version.finding(&RELATED_IMAGE, &format!("/spec/relatedImages/{index}/image"), reason, hint)
        })
        .collect()
}
