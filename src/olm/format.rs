//! Checks the metadata of a bundle: its annotations and its dependencies.

use super::bundle::Bundle;
use super::manifest::text;
use crate::finding::{Finding, Lint};
use crate::schema::rules::parse;
use semver::VersionReq;
use serde_json::Value;
use std::path::Path;

pub(super) static LINTS: &[&Lint] = &[&ANNOTATION, &DEPENDENCY];

pub(super) static ANNOTATION: Lint = Lint::error(
    "OP704",
    "missing or wrong annotations of a bundle",
    "`metadata/annotations.yaml` describes the bundle: its media type, the folders of its files, its package and its \
     channels. A bundle that lacks one of these annotations cannot be added to a catalog.",
    "annotations:\n  operators.operatorframework.io.bundle.mediatype.v1: plain",
    "annotations:\n  operators.operatorframework.io.bundle.mediatype.v1: registry+v1\n  \
     operators.operatorframework.io.bundle.manifests.v1: manifests/\n  \
     operators.operatorframework.io.bundle.metadata.v1: metadata/\n  \
     operators.operatorframework.io.bundle.package.v1: web-operator\n  \
     operators.operatorframework.io.bundle.channels.v1: stable\n  \
     operators.operatorframework.io.bundle.channel.default.v1: stable",
);

pub(super) static DEPENDENCY: Lint = Lint::error(
    "OP705",
    "a bundle dependency that is incomplete or not valid",
    "A dependency in `metadata/dependencies.yaml` names a package with a range of versions, an API with its group, \
     version and kind, a label, or a constraint.",
    "dependencies:\n- type: olm.package\n  value: {packageName: db-operator}",
    "dependencies:\n- type: olm.package\n  value: {packageName: db-operator, version: \">=1.2.0\"}",
);

/// The prefix of the names of bundle annotations.
pub(super) const PREFIX: &str = "operators.operatorframework.io.bundle.";

pub(super) fn annotations(bundle: &Bundle) -> Vec<Finding> {
    let names = ["mediatype.v1", "manifests.v1", "metadata.v1", "package.v1", "channels.v1", "channel.default.v1"];
    let Some(file) = bundle.annotations.as_ref() else {
        let place = bundle.finding_path("metadata/annotations.yaml");
        let reason = "the bundle has no annotations file";
        let hint = "opctl bundle    # writes metadata/annotations.yaml";
        return vec![Finding::new(&ANNOTATION, Path::new(&place), 1, reason, hint)];
    };
    let mut all = file.value["annotations"].as_object().into_iter().flatten();
    if let Some((name, value)) = all.find(|(_, value)| !value.is_string()) {
        let reason = format!("the annotation `{name}` is `{value}`, which is not a string");
        let hint = format!("{name}: \"{value}\"");
        return vec![file.finding(&ANNOTATION, &annotation_pointer(name), reason, hint)];
    }
    let expected = |name: &str| match name {
        "mediatype.v1" if bundle.of_kind("ClusterServiceVersion").next().is_some() => "registry+v1",
        "mediatype.v1" => "plain",
        "manifests.v1" => "manifests/",
        "metadata.v1" => "metadata/",
        "package.v1" => "my-operator",
        _ => "stable",
    };
    let checked = names.iter().filter_map(|short| {
        let name = format!("{PREFIX}{short}");
        let hint = format!("{name}: {}", expected(short));
        let reason = match bundle.annotation(&name) {
            None if *short == "channel.default.v1" => return None,
            None => format!("the annotation `{name}` is missing"),
            Some("") if short.starts_with("channel") => format!("the annotation `{name}` is empty"),
            Some(value) if *short == "mediatype.v1" && value != expected(short) => {
                format!(
                    "the annotation `{name}` is `{value}`, but the files of the bundle have the media type `{}`",
                    expected(short)
                )
            }
            Some(_) => return None,
        };
        Some(file.finding(&ANNOTATION, &annotation_pointer(&name), reason, hint))
    });
    checked.collect()
}

fn annotation_pointer(name: &str) -> String {
    format!("/annotations/{}", name.replace('/', "~1"))
}

pub(super) fn dependencies(bundle: &Bundle) -> Vec<Finding> {
    let Some(file) = bundle.dependencies.as_ref() else { return Vec::new() };
    let each = bundle.dependencies().iter().enumerate();
    let wrong = each.filter_map(|(index, dependency)| Some((index, dependency, mistake(dependency)?)));
    wrong
        .map(|(index, dependency, mistake)| {
            let of = text(dependency, "/type");
            let reason = format!("the dependency `{of}` {mistake}");
            file.finding(&DEPENDENCY, &format!("/dependencies/{index}"), reason, example(of))
        })
        .collect()
}

fn mistake(dependency: &Value) -> Option<String> {
    let lacks = |fields: &[&str]| {
        let value = &dependency["value"];
        let missing = fields.iter().find(|field| value[**field].as_str().is_none_or(str::is_empty));
        missing.map(|field| format!("has no `{field}`"))
    };
    match text(dependency, "/type") {
        "olm.gvk" => lacks(&["group", "version", "kind"]),
        "olm.label" => lacks(&["label"]),
        "olm.package" => lacks(&["packageName", "version"]).or_else(|| {
            let range = text(dependency, "/value/version");
            (!is_range(range)).then(|| format!("has the version `{range}`, which is not a range of versions"))
        }),
        "olm.constraint" => match dependency.pointer("/value/cel") {
            None => Some("has no `cel`".to_owned()),
            Some(cel) => match text(cel, "/rule") {
                "" => Some("has no `cel.rule`".to_owned()),
                rule => parse::expression(rule).err().map(|wrong| {
                    let wrong = wrong.unwrap_or_else(|| "it is nested too deeply".to_owned());
                    format!("has the rule `{rule}`, which is not valid CEL: {wrong}")
                }),
            },
        },
        _ => Some("has a type that OLM does not know".to_owned()),
    }
}

/// Returns true for a range of versions in the grammar of `github.com/blang/semver`: `>=1.2.0 <2.0.0 || 3.x`.
fn is_range(range: &str) -> bool {
    let is_comparison = |word: &str| {
        let version = word.trim_start_matches(['<', '>', '=', '!']);
        let without_wildcards = version.replace(".x", ".0");
        version.starts_with(|first: char| first.is_ascii_digit())
            && (semver::Version::parse(version).is_ok()
                || version.split('.').next_back() == Some("x") && VersionReq::parse(&without_wildcards).is_ok())
    };
    !range.trim().is_empty()
        && range.split("||").all(|part| {
            let mut words = part.split_whitespace().peekable();
            words.peek().is_some() && words.all(is_comparison)
        })
}

fn example(of: &str) -> &'static str {
    match of {
        "olm.gvk" => "value: {group: example.com, version: v1, kind: Database}",
        "olm.label" => "value: {label: database}",
        "olm.constraint" => "value: {failureMessage: needs a database, cel: {rule: \"true\"}}",
        _ => "- type: olm.package\n  value: {packageName: db-operator, version: \">=1.2.0\"}",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_rule_of_a_constraint_is_read_within_the_limits_of_cel() {
        let fault_of = |rule: &str| {
            let cel = json!({ "rule": rule });
            mistake(&json!({ "type": "olm.constraint", "value": { "failureMessage": "no", "cel": cel } }))
        };
        let deep = format!("{}true{}", "[".repeat(10_000), "]".repeat(10_000));
        assert_eq!(fault_of("properties.exists(p, p.type == 'olm.package' && p.value.packageName == 'db')"), None);
        assert!(fault_of("properties.exists(p,").is_some_and(|fault| fault.contains("which is not valid CEL")));
        assert!(fault_of(&deep).is_some_and(|fault| fault.ends_with("it is nested too deeply")));
    }
}
