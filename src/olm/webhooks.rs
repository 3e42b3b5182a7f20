//! Checks the webhooks of a `ClusterServiceVersion` as OLM v1 does. OLM v0 finds the same mistakes while it installs
//! the operator.

use super::manifest::{Manifest, list, text, texts};
use crate::finding::{Finding, Lint};
use crate::model::object_name_rule;
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) static LINTS: &[&Lint] = &[&WEBHOOK, &WEBHOOK_RULE];

pub(super) static WEBHOOK: Lint = Lint::warning(
    "OP774",
    "a webhook definition that OLM cannot install",
    "A webhook needs a name that is a DNS subdomain and unique among the webhooks of its type, and a Deployment of \
     the ClusterServiceVersion that serves it. A conversion webhook converts CRDs that the bundle owns, and each CRD \
     has only one.",
    "webhookdefinitions: [{type: ValidatingAdmissionWebhook, generateName: vweb.example.com, deploymentName: other}]",
    "webhookdefinitions: [{type: ValidatingAdmissionWebhook, generateName: vweb.example.com, deploymentName: web-operator}]",
);

pub(super) static WEBHOOK_RULE: Lint = Lint::warning(
    "OP775",
    "a webhook that could block requests to the whole cluster",
    "OLM refuses webhooks for all API groups, for its own group, and for webhook configurations: if such a webhook \
     failed, it would also block requests to repair it.",
    "rules: [{apiGroups: [\"*\"], apiVersions: [\"*\"], resources: [\"*\"], operations: [\"*\"]}]",
    "rules: [{apiGroups: [example.com], apiVersions: [v1], resources: [webservers], operations: [CREATE, UPDATE]}]",
);

const PLACE: &str = "/spec/webhookdefinitions";

pub(super) fn check(version: &Manifest) -> Vec<Finding> {
    let deployments = version.list("/spec/install/spec/deployments");
    let owned = version.list("/spec/customresourcedefinitions/owned");
    let (mut names, mut converted) = (BTreeSet::new(), BTreeSet::new());
    let mut findings = Vec::new();
    for (index, webhook) in version.list(PLACE).iter().enumerate() {
        let (of, name) = (text(webhook, "/type"), text(webhook, "/generateName"));
        let mut finding = |field: &str, mistake: String, hint: &str| {
            let place = format!("{PLACE}/{index}{field}");
            findings.push(version.finding(&WEBHOOK, &place, format!("the webhook `{name}` {mistake}"), hint));
        };
        let deployment = text(webhook, "/deploymentName");
        if !deployments.iter().any(|one| one["name"] == deployment) {
            let mistake =
                format!("is served by `{deployment}`, which is not a Deployment of the ClusterServiceVersion");
            finding("/deploymentName", mistake, "deploymentName: web-operator-controller-manager");
        }
        if !names.insert((of, name)) {
            finding("/generateName", format!("is not the only {of} of this name"), "give each webhook a unique name");
        }
        if let Some(rule) = object_name_rule(name) {
            finding("/generateName", format!("has a name that is not valid: {rule}"), "generateName: vweb.example.com");
        }
        if of == "ConversionWebhook" {
            for definition in texts(webhook, "/conversionCRDs") {
                if !owned.iter().any(|one| one["name"] == definition) {
                    let mistake = format!("converts `{definition}`, which the ClusterServiceVersion does not own");
                    finding("/conversionCRDs", mistake, "conversionCRDs: [webservers.example.com]");
                }
                if !converted.insert(definition) {
                    let mistake = format!("converts `{definition}`, which another webhook converts");
                    finding("/conversionCRDs", mistake, "keep only one of the two webhooks");
                }
            }
        } else {
            findings.extend(rules(version, index, webhook));
        }
    }
    findings
}

fn rules(version: &Manifest, index: usize, webhook: &Value) -> Vec<Finding> {
    let name = text(webhook, "/generateName");
    let forbidden = |group: &str, rule: &Value| match group {
        "*" | "olm.operatorframework.io" => Some(format!("the API group `{group}`")),
        "admissionregistration.k8s.io" => {
            let mut resources = texts(rule, "/resources");
            let is_configuration = |resource: &str| {
                let resource = resource.to_lowercase();
                let one = resource.trim_end_matches('s');
                one == "*" || ["mutatingwebhookconfiguration", "validatingwebhookconfiguration"].contains(&one)
            };
            resources.find(|resource| is_configuration(resource)).map(|resource| format!("`{resource}` of `{group}`"))
        }
        _ => None,
    };
    let each = list(webhook, "/rules").iter().enumerate();
    let found = each.flat_map(|(position, rule)| {
        texts(rule, "/apiGroups").filter_map(move |group| Some((position, forbidden(group, rule)?)))
    });
    found
        .map(|(position, what)| {
            let place = format!("{PLACE}/{index}/rules/{position}");
            let reason = format!("the webhook `{name}` is called for {what}, which OLM does not allow");
            version.finding(
                &WEBHOOK_RULE,
                &place,
                reason,
                "apiGroups: [example.com]    # the API groups of the operator's kinds",
            )
        })
        .collect()
}
