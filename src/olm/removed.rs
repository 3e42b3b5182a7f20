//! Finds APIs in a bundle that Kubernetes has removed (operator-framework/api, `removed_apis.go`).

use super::bundle::Bundle;
use super::field_types::tolerant_version;
use super::manifest::{Manifest, list, text, texts};
use super::service_version::OLDEST;
use crate::finding::{Finding, Lint, Severity};
use semver::Version;
use std::collections::BTreeSet;

pub(super) static LINTS: &[&Lint] = &[&REMOVED];

pub(super) static REMOVED: Lint = Lint::warning(
    "OP747",
    "an API version that Kubernetes has removed",
    "Newer clusters do not serve the API version. The finding is an error if clusters of the version `minKubeVersion` \
     already lack it, and a warning otherwise. For RBAC rules it is always a warning, because they do not name a \
     version.",
    "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget",
    "apiVersion: policy/v1\nkind: PodDisruptionBudget",
);

/// APIs that Kubernetes has removed: the minor version of the removal, the apiVersion and the kinds.
const APIS: &[(u64, &str, &[&str])] = &[
    (22, "apiextensions.k8s.io/v1beta1", &["CustomResourceDefinition"]),
    (22, "scheduling.k8s.io/v1beta1", &["PriorityClass"]),
    (22, "rbac.authorization.k8s.io/v1beta1", &["Role", "ClusterRoleBinding", "RoleBinding", "ClusterRole"]),
    (22, "apiregistration.k8s.io/v1beta1", &["APIService"]),
    (22, "authentication.k8s.io/v1beta1", &["TokenReview"]),
    (
        22,
        "authorization.k8s.io/v1beta1",
        &["LocalSubjectAccessReview", "SelfSubjectAccessReview", "SubjectAccessReview"],
    ),
    (22, "admissionregistration.k8s.io/v1beta1", &["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]),
    (22, "coordination.k8s.io/v1beta1", &["Lease"]),
    (22, "extensions/v1beta1", &["Ingress"]),
    (22, "networking.k8s.io/v1beta1", &["Ingress", "IngressClass"]),
    (22, "storage.k8s.io/v1beta1", &["CSIDriver", "CSINode", "StorageClass", "VolumeAttachment"]),
    (22, "certificates.k8s.io/v1beta1", &["CertificateSigningRequest"]),
    (25, "batch/v1beta1", &["CronJob"]),
    (25, "discovery.k8s.io/v1beta1", &["EndpointSlice"]),
    (25, "events.k8s.io/v1beta1", &["Event"]),
    (25, "autoscaling/v2beta1", &["HorizontalPodAutoscaler"]),
    (25, "policy/v1beta1", &["PodDisruptionBudget", "PodSecurityPolicy"]),
    (25, "node.k8s.io/v1beta1", &["RuntimeClass"]),
    (26, "autoscaling/v2beta2", &["HorizontalPodAutoscaler"]),
];

/// The groups and resources with an API version that Kubernetes 1.25 has removed.
const RESOURCES: [(&str, &str); 7] = [
    ("batch", "cronjobs"),
    ("discovery.k8s.io", "endpointslices"),
    ("events.k8s.io", "events"),
    ("autoscaling", "horizontalpodautoscalers"),
    ("policy", "poddisruptionbudgets"),
    ("policy", "podsecuritypolicies"),
    ("node.k8s.io", "runtimeclasses"),
];

pub(super) fn check(bundle: &Bundle, version: &Manifest) -> Vec<Finding> {
    let oldest = version.text_at("/spec/minKubeVersion").trim();
    let oldest_version = tolerant_version(oldest);
    let mut findings = Vec::new();
    if !oldest.is_empty() && oldest_version.is_none() {
        let reason = format!(
            "`minKubeVersion` is `{oldest}`, which is not a valid version, so removed APIs cannot be checked against it"
        );
        findings.push(version.finding(&OLDEST, "/spec/minKubeVersion", reason, "minKubeVersion: 1.30.0"));
    }
    let severity = |minor: u64| match &oldest_version {
        Some(oldest) if *oldest >= Version::new(1, minor, 0) => Severity::Error,
        _ => Severity::Warning,
    };
    for object in &bundle.manifests {
        if let Some(minor) = removed_in(object.text_at("/apiVersion"), object.kind()) {
            let (api, kind) = (object.text_at("/apiVersion"), object.kind());
            let reason = format!("`{}` is a {kind} of `{api}`, which Kubernetes 1.{minor} has removed", object.name());
            let mut finding = object.finding(&REMOVED, "/apiVersion", reason, newer(api));
            finding.severity = severity(minor);
            findings.push(finding);
        }
    }
    let mut named = BTreeSet::new();
    for relation in ["owned", "required"] {
        let place = format!("/spec/customresourcedefinitions/{relation}");
        for (index, entry) in version.list(&place).iter().enumerate() {
            for (position, resource) in list(entry, "/resources").iter().enumerate() {
                let (api, kind) = (text(resource, "/version"), text(resource, "/kind"));
                named.insert(format!("{}s", kind.to_lowercase()));
                // A kind of 1.22 is not looked for here.
                if let Some(minor @ 25) = removed_in(api, kind) {
                    let reason =
                        format!("the resource `{kind}` of `{api}` is one that Kubernetes 1.{minor} has removed");
                    let place = format!("{place}/{index}/resources/{position}");
                    let mut finding = version.finding(&REMOVED, &place, reason, newer(api));
                    finding.severity = severity(minor);
                    findings.push(finding);
                }
            }
        }
    }
    findings.extend(rights(version, &named));
    findings
}

fn removed_in(api_version: &str, kind: &str) -> Option<u64> {
    let found = APIS.iter().find(|(_, api, kinds)| *api == api_version && kinds.contains(&kind));
    found.map(|(minor, ..)| *minor)
}

fn newer(api: &str) -> String {
    let group = api.split('/').next().unwrap_or_default();
    let version = if group == "autoscaling" { "v2" } else { "v1" };
    format!("apiVersion: {group}/{version}")
}

/// Finds RBAC rules for a resource if Kubernetes has removed an API version of this resource. An RBAC rule does not
/// name a version. Skips the resources in `named`: the `ClusterServiceVersion` lists these resources with the version
/// that the operator uses.
fn rights(version: &Manifest, named: &BTreeSet<String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for list_name in ["clusterPermissions", "permissions"] {
        let place = format!("/spec/install/spec/{list_name}");
        for (index, entry) in version.list(&place).iter().enumerate() {
            for (position, rule) in list(entry, "/rules").iter().enumerate() {
                let pairs = texts(rule, "/apiGroups")
                    .flat_map(|group| texts(rule, "/resources").map(move |resource| (group, resource)));
                let found = pairs.filter(|pair| RESOURCES.contains(pair) && !named.contains(pair.1));
                findings.extend(found.map(|(group, resource)| {
                    let reason = format!(
                        "the operator has rights to `{resource}` of `{group}`, and Kubernetes 1.25 has removed an API \
                         version of this resource"
                    );
                    let hint = "use the version that is left; the rule is then right as it is";
                    version.finding(&REMOVED, &format!("{place}/{index}/rules/{position}"), reason, hint)
                }));
            }
        }
    }
    findings
}
