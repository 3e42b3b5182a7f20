//! Checks the objects of a bundle other than the `ClusterServiceVersion` and the CRDs.

use super::bundle::Bundle;
use super::manifest::{Manifest, texts};
use crate::finding::{Finding, Lint};
use crate::model::object_name_rule;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::Deserialize;
use serde_json::Value;

pub(super) static LINTS: &[&Lint] = &[&ACCOUNT, &DISRUPTION, &PRIORITY, &DISRUPTION_RIGHT, &CONSTRAINT_RIGHT];

pub(super) static ACCOUNT: Lint = Lint::error(
    "OP741",
    "a bundled ServiceAccount that OLM creates itself",
    "OLM creates the service accounts of the Deployments in the ClusterServiceVersion. A ServiceAccount of the same \
     name in the bundle would conflict with the account that OLM creates.",
    "bundle/manifests/web-operator_serviceaccount.yaml",
    "# only in the ClusterServiceVersion:\nspec: {install: {spec: {permissions: [{serviceAccountName: \
     web-operator}]}}}",
);

pub(super) static DISRUPTION: Lint = Lint::error(
    "OP742",
    "a PodDisruptionBudget that keeps nodes from being drained",
    "A budget that allows no disruption keeps nodes from being drained. The validator of operator-framework refuses a \
     `maxUnavailable` of 0, treats every percentage in it as 0, and refuses a `minAvailable` of 100%.",
    "spec: {maxUnavailable: 0}",
    "spec: {maxUnavailable: 1}",
);

pub(super) static PRIORITY: Lint = Lint::error(
    "OP743",
    "a PriorityClass that is the default for all pods of the cluster",
    "With `globalDefault`, the class sets the priority of all pods in the cluster that do not name a PriorityClass, \
     including pods of other users.",
    "kind: PriorityClass\nglobalDefault: true",
    "kind: PriorityClass\nglobalDefault: false",
);

pub(super) static DISRUPTION_RIGHT: Lint = Lint::warning(
    "OP744",
    "a right to create or change PodDisruptionBudgets",
    "A budget that an operator writes can keep nodes from being drained.",
    "rules: [{apiGroups: [policy], resources: [poddisruptionbudgets], verbs: [create]}]",
    "rules: [{apiGroups: [policy], resources: [poddisruptionbudgets], verbs: [get, list, watch]}]",
);

pub(super) static CONSTRAINT_RIGHT: Lint = Lint::error(
    "OP745",
    "a right to change OpenShift's default SecurityContextConstraints",
    "Changing a default SecurityContextConstraints changes what all pods of the cluster are allowed to do.",
    "rules: [{apiGroups: [security.openshift.io], resources: [securitycontextconstraints],\n  resourceNames: [restricted], \
     verbs: [update]}]",
    "rules: [{apiGroups: [security.openshift.io], resources: [securitycontextconstraints],\n  resourceNames: [mine], \
     verbs: [update]}]",
);

/// The default `SecurityContextConstraints` of `OpenShift`.
const CONSTRAINTS: [&str; 8] =
    ["privileged", "restricted", "anyuid", "hostaccess", "hostmount-anyuid", "hostnetwork", "node-exporter", "nonroot"];

/// Checks that the bundle has no `ServiceAccount` that OLM creates from the `ClusterServiceVersion`.
pub(super) fn accounts(bundle: &Bundle, version: &Manifest) -> Vec<Finding> {
    let deployments = version.list("/spec/install/spec/deployments");
    let names: Vec<&Value> =
        deployments.iter().map(|one| &one["spec"]["template"]["spec"]["serviceAccountName"]).collect();
    let of_core = |account: &&Manifest| account.text_at("/apiVersion") == "v1";
    let accounts = bundle.of_kind("ServiceAccount").filter(of_core);
    let twice = accounts.filter(|account| names.iter().any(|name| **name == account.name()));
    twice
        .map(|account| {
            let reason = format!(
                "the bundle contains the service account `{}`, which OLM creates from the ClusterServiceVersion",
                account.name()
            );
            account.finding(&ACCOUNT, "/metadata/name", reason, "remove this file from the bundle")
        })
        .collect()
}

/// Checks one object by the rules of its kind.
pub(super) fn check(object: &Manifest) -> Vec<Finding> {
    let mut findings = Vec::new();
    let named = format!("the {} `{}`", object.kind(), object.name());
    match object.kind() {
        "PodDisruptionBudget" => {
            let (most, least) = (object.value.pointer("/spec/maxUnavailable"), object.text_at("/spec/minAvailable"));
            if let Some(most) = most.filter(|most| most.as_i64().is_none_or(|most| most == 0)) {
                let reason = format!("{named} has `maxUnavailable: {most}`, which OLM tools treat as 0");
                findings.push(object.finding(&DISRUPTION, "/spec/maxUnavailable", reason, "maxUnavailable: 1"));
            }
            if least == "100%" {
                let reason = format!("{named} has `minAvailable: 100%`, so no pod can be evicted");
                findings.push(object.finding(&DISRUPTION, "/spec/minAvailable", reason, "maxUnavailable: 1"));
            }
        }
        "PriorityClass" if object.value["globalDefault"] == true => {
            let reason = format!("{named} is the default for all pods of the cluster");
            findings.push(object.finding(&PRIORITY, "/globalDefault", reason, "globalDefault: false"));
        }
        "Role" | "ClusterRole" => {
            for (index, rule) in object.list("/rules").iter().enumerate() {
                let place = format!("/rules/{index}");
                let has = |list: &str, any: &[&str]| texts(rule, list).any(|one| any.contains(&one));
                if has("/apiGroups", &["policy"])
                    && has("/resources", &["poddisruptionbudgets"])
                    && has("/verbs", &["*", "create", "update", "patch"])
                {
                    let reason = format!("{named} lets the operator write `poddisruptionbudgets`");
                    let hint = "verbs: [get, list, watch]";
                    findings.push(object.finding(&DISRUPTION_RIGHT, &place, reason, hint));
                }
                if has("/apiGroups", &["security.openshift.io"])
                    && has("/resources", &["securitycontextconstraints"])
                    && has("/verbs", &["*", "delete", "update", "patch"])
                    && has("/resourceNames", &CONSTRAINTS)
                {
                    let reason = format!("{named} lets the operator change `securitycontextconstraints` of OpenShift");
                    let hint = "resourceNames: [mine]    # the name of your own SecurityContextConstraints";
                    findings.push(object.finding(&CONSTRAINT_RIGHT, &place, reason, hint));
                }
            }
        }
        _ => {}
    }
    findings
}

/// Checks the metadata of an object that OLM applies. Returns the JSON pointer of the first wrong field and a
/// description of the mistake, or `None` if the metadata is valid.
pub(super) fn metadata_mistake(object: &Manifest) -> Option<(String, String)> {
    let metadata = object.value.get("metadata").cloned().unwrap_or_default();
    let metadata = match ObjectMeta::deserialize(if metadata.is_null() { serde_json::json!({}) } else { metadata }) {
        Ok(metadata) => metadata,
        Err(error) => return Some(("/metadata".to_owned(), format!("cannot be loaded: {error}"))),
    };
    let (name, prefix) = (metadata.name.unwrap_or_default(), metadata.generate_name.unwrap_or_default());
    if name.is_empty() && prefix.is_empty() {
        return Some(("/metadata".to_owned(), "has no `name`".to_owned()));
    }
    if metadata.namespace.is_some_and(|namespace| !namespace.is_empty()) {
        return Some(("/metadata/namespace".to_owned(), "has a `namespace`, but OLM chooses the namespace".to_owned()));
    }
    for (name, value) in metadata.labels.unwrap_or_default() {
        let place = format!("/metadata/labels/{}", name.replace('/', "~1"));
        if !is_qualified(&name) {
            return Some((place, format!("has the label `{name}`, which is not a qualified name")));
        }
        if !is_label_value(&value) {
            return Some((
                place,
                format!("has the label `{name}` with the value `{value}`, which is not a valid label value"),
            ));
        }
    }
    let names = metadata.annotations.unwrap_or_default();
    let wrong = names.into_keys().find(|name| !is_qualified(&name.to_lowercase()));
    wrong.map(|name| {
        (format!("/metadata/annotations/{}", name.replace('/', "~1")), format!("has the annotation `{name}`"))
    })
}

/// Returns true if `value` is a valid label value.
pub(super) fn is_label_value(value: &str) -> bool {
    let is_word = |text: &str| text.starts_with(is_plain) && text.ends_with(is_plain);
    value.is_empty()
        || value.len() <= 63 && is_word(value) && value.chars().all(|one| is_plain(one) || "-_.".contains(one))
}

fn is_plain(one: char) -> bool {
    one.is_ascii_alphanumeric()
}

/// Returns true if `name` is a valid name of a label or an annotation: `name`, or `domain/name`.
fn is_qualified(name: &str) -> bool {
    let (domain, name) = name.split_once('/').map_or((None, name), |(domain, name)| (Some(domain), name));
    domain.is_none_or(|domain| object_name_rule(domain).is_none()) && !name.is_empty() && is_label_value(name)
}
