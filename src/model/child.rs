//! The kinds of which a child can be scaffolded.

use super::InvalidName;
use super::built_in::{BuiltIn, KINDS};
use super::names::invalid;
use strsim::levenshtein;

/// Kinds of which a child can be scaffolded: what operators make.
const CHILDREN: &[&str] = &[
    "ClusterRole",
    "ClusterRoleBinding",
    "ConfigMap",
    "CronJob",
    "DaemonSet",
    "Deployment",
    "HorizontalPodAutoscaler",
    "Ingress",
    "Job",
    "LimitRange",
    "Namespace",
    "NetworkPolicy",
    "PersistentVolumeClaim",
    "Pod",
    "PodDisruptionBudget",
    "ResourceQuota",
    "Role",
    "RoleBinding",
    "Secret",
    "Service",
    "ServiceAccount",
    "StatefulSet",
];

/// A kind that a controller owns: it makes one for each object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child(&'static BuiltIn);

impl Child {
    /// Looks a kind up by its name, behind which a dot and its group may stand.
    ///
    /// # Errors
    /// A kind of which no child can be scaffolded, with those that could be meant.
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        let (kind, group) = text.split_once('.').map_or((text, None), |(kind, group)| (kind, Some(group)));
        let named = |built_in: &&BuiltIn| built_in.kind == kind && CHILDREN.contains(&kind);
        let of_group = |built_in: &&BuiltIn| group.is_none_or(|group| built_in.is_in(group));
        // The newest version of its group stands last.
        if let Some(found) = KINDS.iter().rfind(|built_in| named(built_in) && of_group(built_in)) {
            return Ok(Child(found));
        }
        let near = near_child(kind);
        let rule = if CHILDREN.contains(&kind) {
            let groups: Vec<_> = KINDS.iter().filter(named).map(BuiltIn::api_version).collect();
            format!("the kind `{kind}` is of `{}`", groups.join("`, `"))
        } else if near.is_empty() {
            format!("these kinds can be scaffolded: {}; own others in `controller` by hand", CHILDREN.join(", "))
        } else {
            format!("there is no such kind among those that can be scaffolded; near are `{}`", near.join("`, `"))
        };
        let suggestion = near.first().copied().unwrap_or("ConfigMap");
        Err(invalid("owns", text, rule, Some(suggestion.to_owned())))
    }

    /// What an image is run and reached by.
    pub fn of_image() -> impl Iterator<Item = Self> {
        ["Deployment", "Service"].into_iter().filter_map(|kind| Self::parse(kind).ok())
    }

    /// The kind.
    pub fn built_in(self) -> &'static BuiltIn {
        self.0
    }
}

impl std::fmt::Display for Child {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.0.kind)
    }
}

/// The kinds that a misspelt name, a plural or a short name could mean.
fn near_child(text: &str) -> Vec<&'static str> {
    let lower = text.to_ascii_lowercase();
    let short = match lower.as_str() {
        "cm" => "ConfigMap",
        "cj" => "CronJob",
        "deploy" => "Deployment",
        "ds" => "DaemonSet",
        "hpa" => "HorizontalPodAutoscaler",
        "ing" => "Ingress",
        "netpol" => "NetworkPolicy",
        "ns" => "Namespace",
        "pdb" => "PodDisruptionBudget",
        "po" => "Pod",
        "pvc" => "PersistentVolumeClaim",
        "sa" => "ServiceAccount",
        "sts" => "StatefulSet",
        "svc" => "Service",
        _ => "",
    };
    if !short.is_empty() {
        return vec![short];
    }
    let close = |kind: &&&str| {
        let kind_lower = kind.to_ascii_lowercase();
        KINDS.iter().any(|built_in| built_in.kind == **kind && built_in.plural == lower)
            || (lower.len() > 2 && kind_lower.starts_with(&lower))
            || levenshtein(&kind_lower, &lower) <= kind_lower.len() / 4
    };
    let mut near: Vec<_> = CHILDREN.iter().filter(close).copied().collect();
    near.sort_by_key(|kind| levenshtein(&kind.to_ascii_lowercase(), &lower));
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_child_is_known_with_its_resource() {
        for kind in CHILDREN {
            assert_eq!(Child::parse(kind).expect(kind).to_string(), *kind);
        }
        let known = |text: &str| {
            let built_in = Child::parse(text).expect(text).built_in();
            (built_in.api_version(), built_in.plural, built_in.namespaced, built_in.module_path())
        };
        let path = |module: &str| format!("k8s_openapi::api::{module}");
        assert_eq!(known("Service"), ("v1".into(), "services", true, path("core::v1")));
        assert_eq!(known("Service.core"), known("Service"));
        assert_eq!(known("Role.rbac"), known("Role"));
        let autoscaling = ("autoscaling/v2".into(), "horizontalpodautoscalers", true, path("autoscaling::v2"));
        assert_eq!(known("HorizontalPodAutoscaler"), autoscaling);
        let rbac = ("rbac.authorization.k8s.io/v1".into(), "clusterroles", false, path("rbac::v1"));
        assert_eq!(known("ClusterRole.rbac.authorization.k8s.io"), rbac);
    }

    #[test]
    fn a_name_that_is_not_known_is_answered_with_those_near_it() {
        for (text, suggestion) in [
            ("deployment", "Deployment"),
            ("services", "Service"),
            ("pvc", "PersistentVolumeClaim"),
            ("Configmap", "ConfigMap"),
            ("StatefullSet", "StatefulSet"),
            ("Cron", "CronJob"),
            ("Deployment.batch", "Deployment"),
            ("Widget", "ConfigMap"),
            ("", "ConfigMap"),
        ] {
            let error = Child::parse(text).expect_err(text);
            assert_eq!(error.suggestion.as_deref(), Some(suggestion), "{text}: {}", error.rule);
        }
    }
}
