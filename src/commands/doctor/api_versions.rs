//! API versions that Kubernetes has removed (<https://kubernetes.io/docs/reference/using-api/deprecation-guide/>).

/// Kinds of an API version that is no longer served; all kinds of that version if `kinds` is empty.
struct Gone {
    version: &'static str,
    kinds: &'static [&'static str],
    since: &'static str,
    instead: &'static str,
}

const fn gone(
    version: &'static str,
    kinds: &'static [&'static str],
    since: &'static str,
    instead: &'static str,
) -> Gone {
    Gone { version, kinds, since, instead }
}

const WEBHOOKS: &[&str] = &["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

const ALL: &[Gone] = &[
    gone("extensions/v1beta1", &["Ingress", "NetworkPolicy"], "1.22", "networking.k8s.io/v1"),
    gone("extensions/v1beta1", &["DaemonSet", "Deployment", "ReplicaSet"], "1.16", "apps/v1"),
    gone("apps/v1beta1", &[], "1.16", "apps/v1"),
    gone("apps/v1beta2", &[], "1.16", "apps/v1"),
    gone("admissionregistration.k8s.io/v1beta1", WEBHOOKS, "1.22", "admissionregistration.k8s.io/v1"),
    gone("apiextensions.k8s.io/v1beta1", &[], "1.22", "apiextensions.k8s.io/v1"),
    gone("coordination.k8s.io/v1beta1", &["Lease"], "1.22", "coordination.k8s.io/v1"),
    gone("networking.k8s.io/v1beta1", &["Ingress", "IngressClass"], "1.22", "networking.k8s.io/v1"),
    gone("rbac.authorization.k8s.io/v1beta1", &[], "1.22", "rbac.authorization.k8s.io/v1"),
    gone("scheduling.k8s.io/v1beta1", &["PriorityClass"], "1.22", "scheduling.k8s.io/v1"),
    gone("autoscaling/v2beta1", &[], "1.25", "autoscaling/v2"),
    gone("autoscaling/v2beta2", &[], "1.26", "autoscaling/v2"),
    gone("batch/v1beta1", &["CronJob"], "1.25", "batch/v1"),
    gone("discovery.k8s.io/v1beta1", &["EndpointSlice"], "1.25", "discovery.k8s.io/v1"),
    gone("events.k8s.io/v1beta1", &["Event"], "1.25", "events.k8s.io/v1"),
    gone("node.k8s.io/v1beta1", &["RuntimeClass"], "1.25", "node.k8s.io/v1"),
    gone("policy/v1beta1", &["PodDisruptionBudget"], "1.25", "policy/v1"),
    gone("flowcontrol.apiserver.k8s.io/v1beta3", &[], "1.32", "flowcontrol.apiserver.k8s.io/v1"),
];

/// Returns the first version of Kubernetes that no longer serves the kind in the API version `version`, and the API
/// version to write instead. Returns `None` if Kubernetes has not removed the kind from this API version.
pub(super) fn api_version_replacement(version: &str, kind: &str) -> Option<(&'static str, &'static str)> {
    let is_it = |gone: &&Gone| gone.version == version && (gone.kinds.is_empty() || gone.kinds.contains(&kind));
    ALL.iter().find(is_it).map(|gone| (gone.since, gone.instead))
}

#[cfg(test)]
mod tests {
    use super::api_version_replacement;

    #[test]
    fn only_what_is_gone_is_replaced() {
        assert_eq!(api_version_replacement("apps/v1beta2", "Deployment"), Some(("1.16", "apps/v1")));
        assert_eq!(api_version_replacement("extensions/v1beta1", "Ingress"), Some(("1.22", "networking.k8s.io/v1")));
        // New clusters serve this kind in v1beta1.
        assert_eq!(api_version_replacement("admissionregistration.k8s.io/v1beta1", "MutatingAdmissionPolicy"), None);
        assert_eq!(api_version_replacement("apps/v1", "Deployment"), None);
    }
}
