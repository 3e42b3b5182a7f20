//! Finds the reasons why OLM v1 cannot install a bundle.

use super::bundle::Bundle;
use super::format::PREFIX;
use super::manifest::{Manifest, text};
use super::webhooks;
use crate::finding::{Finding, Lint};
use crate::model::object_name_rule;
use std::collections::BTreeSet;

pub(super) static LINTS: &[&Lint] = &[&SERVICES, &MODES, &DEPENDENCIES, &DEPLOYMENT];

pub(super) static SERVICES: Lint = Lint::warning(
    "OP771",
    "API service definitions, which OLM v1 does not support",
    "OLM v1 says `unsupported bundle: apiServiceDefintions are not supported`.",
    "apiservicedefinitions: {owned: [{group: example.com, version: v1, kind: WebServer}]}",
    "customresourcedefinitions: {owned: [{name: webservers.example.com, version: v1, kind: WebServer}]}",
);

pub(super) static MODES: Lint = Lint::warning(
    "OP772",
    "an operator that does not support the install mode `AllNamespaces`",
    "OLM v1 installs an operator once per cluster, in the install mode `AllNamespaces`. Otherwise, it reports \
     `unsupported bundle: bundle does not support AllNamespaces install mode`, unless the feature gate \
     SingleOwnNamespaceInstallSupport is on.",
    "installModes:\n- {type: OwnNamespace, supported: true}",
    "installModes:\n- {type: AllNamespaces, supported: true}    # opctl edit --namespaced=false",
);

pub(super) static DEPENDENCIES: Lint = Lint::warning(
    "OP773",
    "bundle dependencies, which OLM v1 does not resolve",
    "OLM v1 refuses bundles that depend on other packages or APIs, through `olm.package.required`, \
     `olm.gvk.required`, `olm.constraint` or required CRDs. Users install the dependencies themselves.",
    "# bundle/metadata/dependencies.yaml\ndependencies:\n- type: olm.package\n  value: {packageName: db-operator, version: 1.0.0}",
    "# in the description of the operator:\nInstall db-operator 1.0 first.",
);

pub(super) static DEPLOYMENT: Lint = Lint::warning(
    "OP776",
    "a Deployment or package name that OLM v1 does not accept",
    "Each Deployment of the ClusterServiceVersion needs a unique name that is a DNS subdomain, and the bundle needs a \
     package name.",
    "deployments: [{name: Web_Operator, spec: {..}}]",
    "deployments: [{name: web-operator, spec: {..}}]",
);

pub(super) fn check(bundle: &Bundle, version: &Manifest) -> Vec<Finding> {
    let mut findings = Vec::new();
    let services = "/spec/apiservicedefinitions/owned";
    if !version.list(services).is_empty() {
        let reason = "OLM v1 does not install the `apiservicedefinitions` of the ClusterServiceVersion";
        findings.push(version.finding(&SERVICES, services, reason, "define the kinds by CRDs"));
    }
    let mut modes = version.list("/spec/installModes").iter();
    if !modes.any(|mode| mode["type"] == "AllNamespaces" && mode["supported"] == true) {
        let reason = "OLM v1 does not install the operator, because the operator does not support `AllNamespaces`";
        let hint = "opctl edit --namespaced=false && opctl bundle";
        findings.push(version.finding(&MODES, "/spec/installModes", reason, hint));
    }
    findings.extend(dependencies(bundle, version));
    findings.extend(deployments(bundle, version));
    findings.extend(webhooks::check(version));
    findings
}

fn dependencies(bundle: &Bundle, version: &Manifest) -> Vec<Finding> {
    let hint = "remove the dependency, and tell users what to install first";
    let reason = |what: &str| format!("OLM v1 does not install a bundle with dependencies: {what}");
    let needs = ["olm.gvk", "olm.package", "olm.constraint"];
    let files = [(&bundle.dependencies, "/dependencies"), (&bundle.properties, "/properties")];
    let mut findings = Vec::new();
    for (file, list_name) in files {
        for (index, one) in file.iter().flat_map(|file| file.list(list_name).iter().enumerate()) {
            let of = text(one, "/type");
            let is_need = if list_name == "/dependencies" { needs.contains(&of) } else { is_required(of) };
            if let Some(file) = file.as_ref().filter(|_| is_need) {
                let place = format!("{list_name}/{index}");
                findings.push(file.finding(&DEPENDENCIES, &place, reason(&format!("`{of}`")), hint));
            }
        }
    }
    for relation in ["customresourcedefinitions", "apiservicedefinitions"] {
        let place = format!("/spec/{relation}/required");
        for (index, entry) in version.list(&place).iter().enumerate() {
            let what = format!("`{}` in `{relation}.required`", text(entry, "/name"));
            findings.push(version.finding(&DEPENDENCIES, &format!("{place}/{index}"), reason(&what), hint));
        }
    }
    findings
}

fn is_required(of: &str) -> bool {
    ["olm.gvk.required", "olm.package.required", "olm.constraint"].contains(&of)
}

fn deployments(bundle: &Bundle, version: &Manifest) -> Vec<Finding> {
    const PLACE: &str = "/spec/install/spec/deployments";
    let mut names = BTreeSet::new();
    let mut findings = Vec::new();
    for (index, deployment) in version.list(PLACE).iter().enumerate() {
        let name = text(deployment, "/name");
        let twice = (!names.insert(name)).then(|| "another Deployment has the same name".to_owned());
        if let Some(rule) = object_name_rule(name).or(twice) {
            let reason = format!("the Deployment `{name}` of the ClusterServiceVersion cannot be created: {rule}");
            findings.push(version.finding(&DEPLOYMENT, &format!("{PLACE}/{index}/name"), reason, "name: web-operator"));
        }
    }
    let package = format!("{PREFIX}package.v1");
    if let Some(file) = bundle.annotations.as_ref().filter(|_| bundle.annotation(&package).is_none_or(str::is_empty)) {
        let reason = format!("the annotation `{package}` is missing or empty");
        findings.push(file.finding(&DEPLOYMENT, "/annotations", reason, format!("{package}: my-operator")));
    }
    findings
}
