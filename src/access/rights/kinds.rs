//! The built-in kinds, and their names in RBAC: from k8s-openapi, which is generated from Kubernetes' own API
//! description.

use k8s_openapi::{ClusterResourceScope, Resource};
use std::any::TypeId;

/// A kind, and its resource.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Kind {
    pub(super) name: String,
    pub(super) group: String,
    pub(super) plural: String,
}

/// The module below `k8s_openapi::api`, the name of the type, the group, the plural, and true outside of namespaces. A type
/// keeps its resource over the versions of its group, so that its first version is enough.
type Row = (&'static str, &'static str, &'static str, &'static str, fn() -> bool);

macro_rules! kinds {
    ($($module:ident::$version:ident { $($kind:ident),* })*) => {
        &[$($({
            type Kind = k8s_openapi::api::$module::$version::$kind;
            let (group, plural) = (<Kind as Resource>::GROUP, <Kind as Resource>::URL_PATH_SEGMENT);
            (stringify!($module), stringify!($kind), group, plural, is_of_the_cluster::<Kind>)
        }),*),*]
    };
}

const KINDS: &[Row] = kinds! {
    admissionregistration::v1 { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, MutatingWebhookConfiguration, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, ValidatingWebhookConfiguration }
    apiserverinternal::v1alpha1 { StorageVersion }
    apps::v1 { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet }
    authentication::v1 { SelfSubjectReview, TokenReview }
    authorization::v1 { LocalSubjectAccessReview, SelfSubjectAccessReview, SelfSubjectRulesReview, SubjectAccessReview }
    autoscaling::v1 { HorizontalPodAutoscaler }
    batch::v1 { CronJob, Job }
    certificates::v1 { CertificateSigningRequest, ClusterTrustBundle, PodCertificateRequest }
    coordination::v1 { Lease }
    coordination::v1beta1 { LeaseCandidate }
    core::v1 { Binding, ComponentStatus, ConfigMap, Endpoints, Event, LimitRange, Namespace, Node, PersistentVolume, PersistentVolumeClaim, Pod, PodTemplate, ReplicationController, ResourceQuota, Secret, Service, ServiceAccount }
    discovery::v1 { EndpointSlice }
    events::v1 { Event }
    flowcontrol::v1 { FlowSchema, PriorityLevelConfiguration }
    lifecycle::v1alpha1 { Eviction, EvictionRequest }
    networking::v1 { IPAddress, Ingress, IngressClass, NetworkPolicy, ServiceCIDR }
    node::v1 { RuntimeClass }
    policy::v1 { PodDisruptionBudget }
    rbac::v1 { ClusterRole, ClusterRoleBinding, Role, RoleBinding }
    resource::v1 { DeviceClass, DeviceTaintRule, ResourceClaim, ResourceClaimTemplate, ResourceSlice }
    resource::v1alpha3 { ResourcePoolStatusRequest }
    scheduling::v1 { PriorityClass }
    scheduling::v1alpha3 { CompositePodGroup }
    scheduling::v1beta1 { PodGroup, Workload }
    storage::v1 { CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment, VolumeAttributesClass }
    storagemigration::v1 { StorageVersionMigration }
};

fn is_of_the_cluster<K: Resource<Scope: 'static>>() -> bool {
    TypeId::of::<K::Scope>() == TypeId::of::<ClusterResourceScope>()
}

/// Returns true for built-in kinds outside of namespaces. Everybody who is signed in may review itself without
/// a right.
pub(crate) fn is_outside_of_namespaces(group: &str, plural: &str) -> bool {
    let added = [("apiextensions.k8s.io", "customresourcedefinitions"), ("apiregistration.k8s.io", "apiservices")];
    let known = |(_, _, of, name, is_of_the_cluster): &Row| (*of, *name) == (group, plural) && is_of_the_cluster();
    !plural.starts_with("selfsubject") && (KINDS.iter().any(known) || added.contains(&(group, plural)))
}

/// The kind of a type by its full path, such as `k8s_openapi::api::apps::v1::Deployment`.
pub(super) fn of_kubernetes(path: &[String]) -> Option<Kind> {
    let parts: Vec<&str> = path.iter().map(String::as_str).collect();
    match parts.as_slice() {
        ["k8s_openapi", "api", module, _, name] => {
            let (_, name, group, plural, _) = KINDS.iter().find(|(of, kind, ..)| of == module && kind == name)?;
            Some(Kind { name: (*name).to_owned(), group: (*group).to_owned(), plural: (*plural).to_owned() })
        }
        ["k8s_openapi", "apiextensions_apiserver", .., name @ "CustomResourceDefinition"] => Some(Kind {
            name: (*name).to_owned(),
            group: "apiextensions.k8s.io".to_owned(),
            plural: "customresourcedefinitions".to_owned(),
        }),
        ["k8s_openapi", "kube_aggregator", .., name @ "APIService"] => Some(Kind {
            name: (*name).to_owned(),
            group: "apiregistration.k8s.io".to_owned(),
            plural: "apiservices".to_owned(),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{KINDS, is_outside_of_namespaces, of_kubernetes};

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
        assert!(KINDS.len() > 70, "only {} kinds", KINDS.len());
    }
}
