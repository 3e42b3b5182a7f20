//! The kinds that RBAC rights apply to, with their API groups and plural resource names.

use crate::model::BuiltIn;

/// A kind, with its API group and its plural resource name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Kind {
    pub(super) name: String,
    pub(super) group: String,
    pub(super) plural: String,
}

/// Returns true for built-in cluster-scoped kinds, except the `selfsubject` reviews, which every authenticated user may
/// create.
pub(crate) fn is_outside_of_namespaces(group: &str, plural: &str) -> bool {
    let known = |known: &BuiltIn| (known.group, known.plural) == (group, plural) && !known.namespaced;
    !plural.starts_with("selfsubject") && BuiltIn::known_kinds().any(known)
}

/// Returns the built-in kind whose Rust type has this full path, such as `k8s_openapi::api::apps::v1::Deployment`.
pub(super) fn of_kubernetes(path: &[String]) -> Option<Kind> {
    let found = BuiltIn::of_type(path)?;
    Some(Kind { name: found.kind.to_owned(), group: found.group.to_owned(), plural: found.plural.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::{is_outside_of_namespaces, of_kubernetes};

    #[test]
    fn kinds_are_known_in_any_version() {
        let found = |path: &str| {
            let path: Vec<String> = path.split("::").map(str::to_owned).collect();
            of_kubernetes(&path).map(|kind| format!("{}.{}", kind.plural, kind.group))
        };
        assert_eq!(found("k8s_openapi::api::core::v1::Endpoints").as_deref(), Some("endpoints."));
        assert_eq!(
            found("k8s_openapi::api::autoscaling::v2::HorizontalPodAutoscaler").as_deref(),
            Some("horizontalpodautoscalers.autoscaling")
        );
        assert_eq!(
            found("k8s_openapi::api::networking::v1beta1::Ingress").as_deref(),
            Some("ingresses.networking.k8s.io")
        );
        assert_eq!(found("k8s_openapi::api::events::v1::Event").as_deref(), Some("events.events.k8s.io"));
        for extension in [
            "k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition",
            "k8s_openapi::kube_aggregator::pkg::apis::apiregistration::v1::APIService",
        ] {
            assert!(found(extension).is_some(), "{extension}");
        }
        assert_eq!(found("k8s_openapi::api::apps::v1::Nonsense"), None);
        for (group, plural, outside) in [
            ("", "nodes", true),
            ("", "pods", false),
            ("rbac.authorization.k8s.io", "clusterroles", true),
            ("rbac.authorization.k8s.io", "roles", false),
            ("apiextensions.k8s.io", "customresourcedefinitions", true),
            ("authorization.k8s.io", "selfsubjectaccessreviews", false),
            ("example.com", "nodes", false),
        ] {
            assert_eq!(is_outside_of_namespaces(group, plural), outside, "{plural}.{group}");
        }
        let known = crate::model::BuiltIn::known_kinds().count();
        assert!(known > 70, "only {known} kinds");
    }
}
