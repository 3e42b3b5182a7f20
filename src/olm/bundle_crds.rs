//! Checks the CRDs of a bundle by the rules of the API server, except for the rules about schemas.

use super::manifest::{Manifest, list, text};
use crate::finding::{Finding, Lint};
use crate::model::{label_1035_rule, object_name_rule};
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) static LINTS: &[&Lint] = &[&DEFINITION];

pub(super) static DEFINITION: Lint = Lint::error(
    "OP731",
    "a CRD in the bundle that the API server refuses",
    "OLM applies the CRDs first, and the installation fails if the API server refuses one: a CRD must be named \
     `PLURAL.GROUP`, all names must be DNS labels, and exactly one version must be the storage version.",
    "spec:\n  versions:\n  - {name: v1, served: true, storage: false}",
    "spec:\n  versions:\n  - {name: v1, served: true, storage: true}",
);

/// Checks a CRD as `pkg/apis/apiextensions/validation/validation.go` of `k8s.io/apiextensions-apiserver` does.
pub(super) fn check(definition: &Manifest) -> Vec<Finding> {
    let mut mistakes: Vec<(&str, String, String)> = Vec::new();
    let value = &definition.value;
    let names = &value["spec"]["names"];
    let (group, plural, kind) = (text(value, "/spec/group"), text(names, "/plural"), text(names, "/kind"));
    let expected = format!("{plural}.{group}");
    if definition.name() != expected {
        mistakes.push(("/metadata/name", format!("has a name that is not `{expected}`"), format!("name: {expected}")));
    }
    if let Some(rule) = object_name_rule(group).or_else(|| (!group.contains('.')).then(|| "it needs a dot".to_owned()))
    {
        mistakes.push(("/spec/group", format!("has the group `{group}`, but {rule}"), "group: example.com".to_owned()));
    }
    let scope = text(value, "/spec/scope");
    let is_default = scope.is_empty() && is_old(value);
    if !["Cluster", "Namespaced"].contains(&scope) && !is_default {
        let reason = format!("has the scope `{scope}`, which is neither `Namespaced` nor `Cluster`");
        mistakes.push(("/spec/scope", reason, "scope: Namespaced".to_owned()));
    }
    // In `v1beta1` it is true if it is absent.
    let keeps = value.pointer("/spec/preserveUnknownFields").map_or(is_old(value), |keeps| *keeps == true);
    if keeps {
        let reason = "has `preserveUnknownFields`, which the API server no longer accepts".to_owned();
        mistakes.push(("/spec/preserveUnknownFields", reason, "preserveUnknownFields: false".to_owned()));
    }
    mistakes.extend(names_of(plural, kind, names));
    mistakes.extend(versions(value));
    mistakes.extend(conversion(value));
    mistakes
        .into_iter()
        .map(|(place, mistake, hint)| {
            definition.finding(&DEFINITION, place, format!("the CRD `{}` {mistake}", definition.name()), hint)
        })
        .collect()
}

fn is_old(value: &Value) -> bool {
    text(value, "/apiVersion").ends_with("/v1beta1")
}

fn names_of(plural: &str, kind: &str, names: &Value) -> Vec<(&'static str, String, String)> {
    let lower = kind.to_lowercase();
    let singular = names["singular"].as_str().unwrap_or(&lower);
    let list_kind = names["listKind"].as_str().map_or_else(|| format!("{kind}List"), str::to_owned);
    let lower_list = list_kind.to_lowercase();
    let each = [
        ("/spec/names/plural", "plural", plural),
        ("/spec/names/singular", "singular", singular),
        ("/spec/names/kind", "kind", &lower),
        ("/spec/names/listKind", "listKind", &lower_list),
    ];
    let others = ["shortNames", "categories"].into_iter().flat_map(|list_name| {
        let all = list(names, &format!("/{list_name}")).iter().filter_map(Value::as_str);
        all.map(move |name| ("/spec/names", list_name, name))
    });
    let wrong = each.into_iter().chain(others).filter_map(|(place, what, name)| {
        let rule = label_1035_rule(name)?;
        Some((place, format!("has the {what} `{name}`, but {rule}"), format!("{what}: webservers")))
    });
    let same = (!kind.is_empty() && kind == list_kind).then(|| {
        let reason = format!("has `{kind}` as both its kind and its listKind, which must differ");
        ("/spec/names/listKind", reason, format!("listKind: {kind}List"))
    });
    wrong.chain(same).collect()
}

fn versions(value: &Value) -> Vec<(&'static str, String, String)> {
    let versions = list(value, "/spec/versions");
    if versions.is_empty() && is_old(value) {
        return Vec::new();
    }
    let mut mistakes = Vec::new();
    let stored = versions.iter().filter(|version| version["storage"] == true).count();
    if stored != 1 {
        let reason = format!("has {stored} versions with `storage: true`, but must have exactly one");
        mistakes.push(("/spec/versions", reason, "storage: true    # at one version".to_owned()));
    }
    let mut seen = BTreeSet::new();
    for version in versions {
        let name = text(version, "/name");
        if let Some(rule) = label_1035_rule(name) {
            mistakes.push(("/spec/versions", format!("has the version `{name}`, but {rule}"), "name: v1".to_owned()));
        }
        if !seen.insert(name) {
            let reason = format!("has the version `{name}` twice");
            mistakes.push(("/spec/versions", reason, "remove the duplicate".to_owned()));
        }
        for column in list(version, "/additionalPrinterColumns") {
            let (column_name, of) = (text(column, "/name"), text(column, "/type"));
            if column_name.is_empty() || !["integer", "number", "string", "boolean", "date"].contains(&of) {
                let reason = format!(
                    "has the printer column `{column_name}` with the type `{of}`, but each column needs a name and a \
                     valid type"
                );
                mistakes.push(("/spec/versions", reason, "{name: Age, type: date, jsonPath: ..}".to_owned()));
            }
        }
    }
    mistakes
}

fn conversion(value: &Value) -> Option<(&'static str, String, String)> {
    let conversion = value.pointer("/spec/conversion")?;
    let strategy = text(conversion, "/strategy");
    let is_complete = conversion.pointer("/webhook/clientConfig").is_some()
        && !list(conversion, "/webhook/conversionReviewVersions").is_empty();
    match strategy {
        "None" | "" => None,
        "Webhook" if is_complete || is_old(value) => None,
        "Webhook" => Some((
            "/spec/conversion",
            "uses webhook conversion, but lacks its `clientConfig` or its `conversionReviewVersions`".to_owned(),
            "conversion: {strategy: None}    # OLM sets the conversion webhook from the ClusterServiceVersion"
                .to_owned(),
        )),
        other => Some((
            "/spec/conversion/strategy",
            format!("has the conversion `{other}`, which is neither `None` nor `Webhook`"),
            "conversion: {strategy: None}".to_owned(),
        )),
    }
}
