//! Checks a bundle by the `good-practices` rules of operator-framework.

use super::bundle::Bundle;
use super::format::PREFIX;
use super::manifest::{Manifest, list, text, texts};
use crate::finding::{Finding, Lint};
use regex::Regex;
use semver::Version;
use std::collections::BTreeSet;

pub(super) static LINTS: &[&Lint] = &[&NO_REQUESTS, &NO_DESCRIPTION, &CHANNEL, &DEFINITION_RIGHT, &NAME_FORM];

pub(super) static NO_REQUESTS: Lint = Lint::warning(
    "OP761",
    "a container without resource requests",
    "Without requests for CPU and memory the scheduler does not know what the operator needs, and a quota of the \
     namespace may refuse its pods.",
    "containers: [{name: manager, image: ..}]",
    "containers: [{name: manager, image: .., resources: {requests: {cpu: 10m, memory: 64Mi}}}]",
);

pub(super) static NO_DESCRIPTION: Lint = Lint::warning(
    "OP762",
    "a CRD without a description in the ClusterServiceVersion",
    "Consoles show the description of a kind next to its name. `opctl bundle` takes the description from the doc \
     comment of the Rust type.",
    "owned: [{name: webservers.example.com, version: v1, kind: WebServer}]",
    "owned: [{name: webservers.example.com, version: v1, kind: WebServer, description: Serves a web site}]",
);

pub(super) static CHANNEL: Lint = Lint::warning(
    "OP763",
    "a bundle channel with an unusual name",
    "Users expect channels that begin with `candidate`, `fast` or `stable`, such as `stable-v1`.",
    "opctl bundle --channels alpha",
    "opctl bundle --channels candidate",
);

pub(super) static DEFINITION_RIGHT: Lint = Lint::warning(
    "OP764",
    "an operator with the right to create CRDs",
    "OLM applies and migrates the CRDs of a bundle, but does not know about CRDs that the operator creates itself.",
    "rules: [{apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [create]}]",
    "rules: [{apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [get]}]",
);

pub(super) static NAME_FORM: Lint = Lint::warning(
    "OP765",
    "a ClusterServiceVersion whose name lacks the package or the version",
    "The usual name is the package followed by the version: `web-operator.v1.0.0`.",
    "metadata: {name: web-operator}",
    "metadata: {name: web-operator.v1.0.0}",
);

pub(super) fn check(bundle: &Bundle, version: &Manifest) -> Vec<Finding> {
    let mut findings = requests(version);
    for relation in ["owned", "required"] {
        let place = format!("/spec/customresourcedefinitions/{relation}");
        for (index, entry) in version.list(&place).iter().enumerate() {
            if text(entry, "/description").is_empty() {
                let reason = format!("the {relation} CRD `{}` has no description", text(entry, "/name"));
                let place = format!("{place}/{index}");
                findings.push(version.finding(&NO_DESCRIPTION, &place, reason, "description: Serves a web site"));
            }
        }
    }
    findings.extend(channels(bundle));
    findings.extend(right(version));
    findings.extend(name(version));
    findings
}

fn requests(version: &Manifest) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, deployment) in version.list("/spec/install/spec/deployments").iter().enumerate() {
        for (position, container) in list(deployment, "/spec/template/spec/containers").iter().enumerate() {
            if container.pointer("/resources/requests").is_none() {
                let reason = format!("the container `{}` has no `resources.requests`", text(container, "/name"));
                let place = format!("/spec/install/spec/deployments/{index}/spec/template/spec/containers/{position}");
                let hint = "resources: {requests: {cpu: 10m, memory: 64Mi}}";
                findings.push(version.finding(&NO_REQUESTS, &place, reason, hint));
            }
        }
    }
    findings
}

fn channels(bundle: &Bundle) -> Option<Finding> {
    let file = bundle.annotations.as_ref()?;
    let named = |name: &str| bundle.annotation(&format!("{PREFIX}{name}")).unwrap_or_default();
    let all = named("channels.v1").split(',').chain([named("channel.default.v1")]).map(str::trim);
    let is_usual =
        |name: &str| name.is_empty() || ["candidate", "stable", "fast"].iter().any(|one| name.starts_with(one));
    let unusual: BTreeSet<&str> = all.filter(|name| !is_usual(name)).collect();
    let listed = unusual.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    (!unusual.is_empty()).then(|| {
        let reason = format!("the bundle belongs to channels with unusual names: {listed}");
        let place = format!("/annotations/{PREFIX}channels.v1");
        file.finding(&CHANNEL, &place, reason, "opctl bundle --channels candidate")
    })
}

fn right(version: &Manifest) -> Option<Finding> {
    ["permissions", "clusterPermissions"].into_iter().find_map(|list_name| {
        let place = format!("/spec/install/spec/{list_name}");
        let mut entries = version.list(&place).iter().enumerate();
        entries.find_map(|(index, entry)| {
            let rules = list(entry, "/rules");
            let rule = rules.iter().position(|rule| {
                let has = |field: &str, any: &[&str]| texts(rule, field).any(|one| any.contains(&one));
                has("/apiGroups", &["apiextensions.k8s.io"])
                    && has("/resources", &["customresourcedefinitions", "*", "[*]"])
                    && has("/verbs", &["create", "*", "[*]", "patch"])
            })?;
            let place = format!("{place}/{index}/rules/{rule}");
            let reason = "the operator has the right to create `customresourcedefinitions`";
            Some(version.finding(&DEFINITION_RIGHT, &place, reason, "verbs: [get, list, watch]"))
        })
    })
}

fn name(version: &Manifest) -> Option<Finding> {
    const FORM: &str = r"([0-9]+)\.([0-9]+)\.([0-9]+)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+)?$";
    let name = version.name();
    let found = Regex::new(FORM).ok().and_then(|form| Some(form.find(name)?.as_str()));
    let is_usual = found.is_some_and(|found| Version::parse(found).is_ok()) && name.split(".v").count() == 2;
    (!is_usual).then(|| {
        let reason = format!("the ClusterServiceVersion is named `{name}`, not `PACKAGE.vVERSION`");
        version.finding(&NAME_FORM, "/metadata/name", reason, "name: web-operator.v1.0.0")
    })
}
