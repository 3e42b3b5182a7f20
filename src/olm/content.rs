//! Checks that the objects of a bundle have kinds that OLM installs, and metadata that OLM can apply.

use super::bundle::Bundle;
use super::other_objects::metadata_mistake;
use crate::finding::{Finding, Lint};

pub(super) static LINTS: &[&Lint] = &[&KIND, &METADATA];

pub(super) static KIND: Lint = Lint::error(
    "OP706",
    "an object of a kind that a bundle must not contain",
    "OLM installs a fixed list of kinds from a bundle. It creates Deployments, webhook configurations and Namespaces \
     itself, from the ClusterServiceVersion. OLM tools report `is not supported type for registryV1 bundle`.",
    "apiVersion: v1\nkind: Namespace",
    "apiVersion: v1\nkind: ConfigMap",
);

pub(super) static METADATA: Lint = Lint::error(
    "OP707",
    "an object that OLM cannot apply because of its metadata",
    "OLM applies the object in a namespace that OLM chooses, so its metadata must have a name, no namespace, and \
     labels and annotations that the API server accepts.",
    "metadata:\n  name: settings\n  namespace: web-system",
    "metadata:\n  name: settings",
);

/// Kinds that OLM accepts in a bundle (operator-registry, `pkg/lib/bundle/supported_resources.go`).
pub(super) const SUPPORTED: [&str; 22] = [
    "ClusterRole",
    "ClusterRoleBinding",
    "ClusterServiceVersion",
    "ConfigMap",
    "ConsoleCLIDownload",
    "ConsoleLink",
    "ConsolePlugin",
    "ConsoleQuickStart",
    "ConsoleYAMLSample",
    "CustomResourceDefinition",
    "NetworkPolicy",
    "PodDisruptionBudget",
    "PodMonitor",
    "PriorityClass",
    "PrometheusRule",
    "Role",
    "RoleBinding",
    "Secret",
    "Service",
    "ServiceAccount",
    "ServiceMonitor",
    "VerticalPodAutoscaler",
];

pub(super) fn check(bundle: &Bundle) -> Vec<Finding> {
    let mut findings = Vec::new();
    for object in bundle.manifests.iter().filter(|object| !object.kind().is_empty()) {
        let kind = object.kind();
        if !SUPPORTED.contains(&kind) {
            if bundle.of_kind("ClusterServiceVersion").next().is_some() {
                let reason = format!("the bundle has the {kind} `{}`, which OLM does not install", object.name());
                let hint = format!("remove `{}` from the bundle, and let the operator create the {kind}", object.file);
                findings.push(object.finding(&KIND, "/kind", reason, hint));
            }
        } else if kind != "ClusterServiceVersion"
            && kind != "CustomResourceDefinition"
            && let Some((place, mistake)) = metadata_mistake(object)
        {
            let reason = format!("the {kind} `{}` {mistake}", object.name());
            let hint = format!("correct {} in `{}`", place.split('/').next_back().unwrap_or_default(), object.file);
            findings.push(object.finding(&METADATA, &place, reason, hint));
        }
    }
    findings
}
