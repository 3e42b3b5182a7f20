//! Compares the CRDs that the `ClusterServiceVersion` owns with the CRDs in the bundle.

use super::bundle::Bundle;
use super::manifest::{Manifest, list, text};
use crate::finding::{Finding, Lint};
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) static LINTS: &[&Lint] = &[&MISSING, &UNOWNED, &TWICE];

pub(super) static MISSING: Lint = Lint::error(
    "OP732",
    "an owned CRD that is missing from the bundle",
    "OLM waits for each CRD that the ClusterServiceVersion owns, with the listed version and kind. OLM tools report \
     `owned CRD .. not found in bundle`.",
    "customresourcedefinitions:\n  owned:\n  - {name: webservers.example.com, version: v2, kind: WebServer}",
    "customresourcedefinitions:\n  owned:\n  - {name: webservers.example.com, version: v1, kind: WebServer}",
);

pub(super) static UNOWNED: Lint = Lint::error(
    "OP733",
    "a CRD in the bundle that the ClusterServiceVersion does not own",
    "OLM lets only one operator in a cluster own a CRD, so the ClusterServiceVersion must list each CRD of the bundle \
     as owned. OLM tools report `is present in bundle but not defined in CSV`.",
    "bundle/manifests/databases.example.com.yaml",
    "customresourcedefinitions:\n  owned:\n  - {name: databases.example.com, version: v1, kind: Database}",
);

pub(super) static TWICE: Lint = Lint::error(
    "OP734",
    "a CRD version that the bundle contains twice",
    "Two CRDs of the bundle define the same version of the same kind, and OLM does not know which one to apply.",
    "bundle/manifests/webservers.example.com.yaml\nbundle/manifests/webservers.yaml",
    "bundle/manifests/webservers.example.com.yaml",
);

/// One version of a kind that a CRD defines.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DefinedVersion {
    group: String,
    version: String,
    kind: String,
}

/// Compares the CRDs that the `ClusterServiceVersion` owns with the CRDs in the bundle, like the tools of OLM.
pub(super) fn check(bundle: &Bundle, version: &Manifest) -> Vec<Finding> {
    let mut findings = missing_crd_findings(bundle, version);
    let mut defined = BTreeSet::new();
    for manifest in bundle.of_kind("CustomResourceDefinition") {
        for one in defined_versions(&manifest.value) {
            if !defined.insert(one.clone()) {
                let reason = format!("`{}` defines {} of `{}` a second time", manifest.file, one.version, one.kind);
                findings.push(manifest.finding(&TWICE, "/metadata/name", reason, "remove one of the two files"));
            }
        }
    }
    let all = version.list("/spec/customresourcedefinitions/owned").iter().map(key);
    let owned: BTreeSet<_> = all.filter(|key| defined.contains(key)).map(|key| (key.group, key.kind)).collect();
    for manifest in bundle.of_kind("CustomResourceDefinition") {
        let unowned =
            defined_versions(&manifest.value).find(|one| !owned.contains(&(one.group.clone(), one.kind.clone())));
        if let Some(one) = unowned {
            let name = manifest.name();
            let reason = format!("the ClusterServiceVersion does not own the CRD `{name}` in the bundle");
            let hint = format!("owned:\n- {{name: {name}, version: {}, kind: {}}}", one.version, one.kind);
            findings.push(manifest.finding(&UNOWNED, "/metadata/name", reason, hint));
        }
    }
    findings
}

/// Finds the CRDs that the `ClusterServiceVersion` owns, but that the bundle does not contain with the same name,
/// group, version and kind.
pub(super) fn missing_crd_findings(bundle: &Bundle, version: &Manifest) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, entry) in version.list("/spec/customresourcedefinitions/owned").iter().enumerate() {
        let (name, of_version, kind) = (text(entry, "/name"), text(entry, "/version"), text(entry, "/kind"));
        let key = key(entry);
        let is_there = bundle
            .of_kind("CustomResourceDefinition")
            .any(|manifest| manifest.name() == name && defined_versions(&manifest.value).any(|one| one == key));
        if is_there && name.contains('.') {
            continue;
        }
        let reason = format!("the bundle has no CRD `{name}` with the version `{of_version}` and the kind `{kind}`");
        let place = format!("/spec/customresourcedefinitions/owned/{index}");
        let hint = "add the CRD to `manifests`, or correct `name`, `version` and `kind` of the entry";
        findings.push(version.finding(&MISSING, &place, reason, hint));
    }
    findings
}

fn key(owned: &Value) -> DefinedVersion {
    let name = text(owned, "/name");
    DefinedVersion {
        group: name.split_once('.').map_or(name, |(_, group)| group).to_owned(),
        version: text(owned, "/version").to_owned(),
        kind: text(owned, "/kind").to_owned(),
    }
}

/// Returns the versions of a CRD, or nothing for a CRD of an unknown apiVersion.
fn defined_versions(definition: &Value) -> impl Iterator<Item = DefinedVersion> {
    let is_known =
        ["apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"].contains(&text(definition, "/apiVersion"));
    let definition = if is_known { definition } else { &Value::Null };
    let (group, kind) = (text(definition, "/spec/group"), text(definition, "/spec/names/kind"));
    let versions = list(definition, "/spec/versions").iter().map(|version| text(version, "/name"));
    let only = list(definition, "/spec/versions").is_empty().then(|| text(definition, "/spec/version"));
    let only = only.filter(|version| !version.is_empty());
    versions.chain(only).map(move |version| DefinedVersion {
        group: group.to_owned(),
        version: version.to_owned(),
        kind: kind.to_owned(),
    })
}
