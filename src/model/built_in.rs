//! The kinds that k8s-openapi has types for: the kinds of Kubernetes and of its extension servers. k8s-openapi is
//! generated from the `OpenAPI` documents of Kubernetes.

use super::names::invalid;
use super::{InvalidName, Version};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions;
use k8s_openapi::kube_aggregator::pkg::apis::apiregistration;
use k8s_openapi::{ClusterResourceScope, NamespaceResourceScope, Resource};
use strsim::levenshtein;

/// A kind that is built into Kubernetes.
#[derive(Debug, PartialEq, Eq)]
pub struct BuiltIn {
    module: &'static str,
    /// The name of the built-in kind, such as `Deployment`.
    pub kind: &'static str,
    /// The whole API group; empty for the core group, which has pods and services.
    pub group: &'static str,
    /// The API version of the built-in kind, such as `v1`.
    pub version: &'static str,
    /// The plural name, which RBAC rules use for the kind.
    pub plural: &'static str,
    /// True if each object of the kind belongs to a namespace.
    pub namespaced: bool,
}

trait Scope {
    const NAMESPACED: bool;
}

impl Scope for NamespaceResourceScope {
    const NAMESPACED: bool = true;
}

impl Scope for ClusterResourceScope {
    const NAMESPACED: bool = false;
}

macro_rules! built_in {
    ($module:expr, $kind:ident, $path:ty) => {
        BuiltIn {
            module: $module,
            kind: stringify!($kind),
            group: <$path as Resource>::GROUP,
            version: <$path as Resource>::VERSION,
            plural: <$path as Resource>::URL_PATH_SEGMENT,
            namespaced: <<$path as Resource>::Scope as Scope>::NAMESPACED,
        }
    };
}

macro_rules! kinds {
    ($($module:ident::$version:ident { $($kind:ident),* })*) => {
        &[$($(built_in!(stringify!($module), $kind, k8s_openapi::api::$module::$version::$kind)),*),*]
    };
}

/// The kinds that every cluster stores, in their stable versions.
pub(super) const KINDS: &[BuiltIn] = kinds! {
    admissionregistration::v1 { MutatingWebhookConfiguration, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, ValidatingWebhookConfiguration }
    apps::v1 { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet }
    autoscaling::v1 { HorizontalPodAutoscaler }
    autoscaling::v2 { HorizontalPodAutoscaler }
    batch::v1 { CronJob, Job }
    certificates::v1 { CertificateSigningRequest }
    coordination::v1 { Lease }
    core::v1 { ConfigMap, Endpoints, Event, LimitRange, Namespace, Node, PersistentVolume, PersistentVolumeClaim, Pod, PodTemplate, ReplicationController, ResourceQuota, Secret, Service, ServiceAccount }
    discovery::v1 { EndpointSlice }
    events::v1 { Event }
    flowcontrol::v1 { FlowSchema, PriorityLevelConfiguration }
    networking::v1 { IPAddress, Ingress, IngressClass, NetworkPolicy, ServiceCIDR }
    node::v1 { RuntimeClass }
    policy::v1 { PodDisruptionBudget }
    rbac::v1 { ClusterRole, ClusterRoleBinding, Role, RoleBinding }
    resource::v1 { DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice }
    scheduling::v1 { PriorityClass }
    storage::v1 { CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment, VolumeAttributesClass }
};

/// The kinds that operators do not reconcile: kinds such as `SubjectAccessReview`, whose objects clients create only to
/// get an answer from the API server, and kinds that some clusters do not have. The list has each kind in only one
/// version, because a kind has the same resource name in all versions of its group.
const OTHERS: &[BuiltIn] = kinds! {
    admissionregistration::v1 { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding }
    apiserverinternal::v1alpha1 { StorageVersion }
    authentication::v1 { SelfSubjectReview, TokenReview }
    authorization::v1 { LocalSubjectAccessReview, SelfSubjectAccessReview, SelfSubjectRulesReview, SubjectAccessReview }
    certificates::v1 { ClusterTrustBundle, PodCertificateRequest }
    coordination::v1beta1 { LeaseCandidate }
    core::v1 { Binding, ComponentStatus, ReplicationController }
    lifecycle::v1alpha1 { Eviction, EvictionRequest }
    resource::v1 { DeviceTaintRule }
    resource::v1alpha3 { ResourcePoolStatusRequest }
    scheduling::v1alpha3 { CompositePodGroup }
    scheduling::v1beta1 { PodGroup, Workload }
    storagemigration::v1 { StorageVersionMigration }
};

/// The kinds of Kubernetes' extension servers, which have separate modules in k8s-openapi.
const EXTENSIONS: &[BuiltIn] = &[
    built_in!("apiextensions", CustomResourceDefinition, apiextensions::v1::CustomResourceDefinition),
    built_in!("apiregistration", APIService, apiregistration::v1::APIService),
];

impl BuiltIn {
    /// Returns the path of the module that has the kind's type, such as `k8s_openapi::api::apps::v1`.
    pub fn module_path(&self) -> String {
        format!("k8s_openapi::api::{}::{}", self.module, self.version)
    }

    /// Returns the API version as in YAML, such as `apps/v1`.
    pub fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.to_owned() } else { format!("{}/{}", self.group, self.version) }
    }
}

/// The domain that kubebuilder writes for built-in groups with a domain, such as `networking.k8s.io`.
const DOMAIN: &str = "k8s.io";

impl BuiltIn {
    /// Returns the kinds that every cluster stores, in their stable versions.
    pub fn all() -> &'static [Self] {
        KINDS
    }

    /// Returns all kinds that k8s-openapi has, including the kinds that no operator reconciles.
    pub fn known_kinds() -> impl Iterator<Item = &'static Self> {
        [KINDS, OTHERS, EXTENSIONS].into_iter().flatten()
    }

    /// Finds a kind by the full path of its type in any version, such as `k8s_openapi::api::apps::v1::Deployment`.
    pub fn of_type(path: &[String]) -> Option<&'static Self> {
        let parts: Vec<&str> = path.iter().map(String::as_str).collect();
        let (["k8s_openapi", "api", module, _, kind]
        | ["k8s_openapi", "apiextensions_apiserver" | "kube_aggregator", .., module, _, kind]) = parts.as_slice()
        else {
            return None;
        };
        Self::known_kinds().find(|built_in| built_in.module == *module && built_in.kind == *kind)
    }

    /// Returns true if `text` is an accepted spelling of a built-in group, such as `apps`, `core`, `networking`,
    /// `networking.k8s.io` or `rbac`.
    pub fn is_group(text: &str) -> bool {
        KINDS.iter().any(|built_in| built_in.is_in(text))
    }

    /// Returns the built-in group that has the kind, in the spelling that users write on the command line.
    pub fn group_of(kind: &str) -> Option<&'static str> {
        KINDS.iter().find(|built_in| built_in.kind == kind).map(|built_in| built_in.written_group().0)
    }

    /// Finds a kind in `group`, which has any spelling that [`BuiltIn::is_group`] accepts. Without a version, returns
    /// the newest version of the kind.
    ///
    /// # Errors
    /// Fails if the group does not have the kind or the version. The error names the candidates.
    pub fn find(group: &str, version: Option<&Version>, kind: &str) -> Result<&'static Self, InvalidName> {
        let of_group: Vec<_> = KINDS.iter().filter(|built_in| built_in.is_in(group)).collect();
        let named: Vec<_> = of_group.iter().copied().filter(|built_in| built_in.kind == kind).collect();
        let is_wanted = |built_in: &&&Self| version.is_none_or(|version| version.as_str() == built_in.version);
        // The list has the newest version of a group last.
        if let Some(found) = named.iter().rfind(is_wanted) {
            return Ok(found);
        }
        if let (Some(newest), Some(version)) = (named.last(), version) {
            let versions: Vec<_> = named.iter().map(|built_in| built_in.version).collect();
            let rule =
                format!("Kubernetes has `{kind}` in the group `{group}` only in version `{}`", versions.join("`, `"));
            return Err(invalid("version", version.as_str(), rule, Some(newest.version.to_owned())));
        }
        if let Some(other) = Self::group_of(kind) {
            let rule = format!("Kubernetes has `{kind}` in the group `{other}`");
            return Err(invalid("group", group, rule, Some(other.to_owned())));
        }
        let lower = kind.to_ascii_lowercase();
        let away = |built_in: &&Self| levenshtein(&built_in.kind.to_ascii_lowercase(), &lower);
        let is_near = |built_in: &&Self| built_in.plural == lower || away(built_in) <= built_in.kind.len() / 3;
        let mut near: Vec<_> = of_group.iter().copied().filter(is_near).collect();
        near.sort_by_key(away);
        let suggestion = near.first().map(|near| near.kind.to_owned());
        let (known, say) = if near.is_empty() { (of_group, "it has") } else { (near, "similar:") };
        let mut kinds: Vec<&str> = known.iter().map(|found| found.kind).collect();
        kinds.dedup();
        let rule = format!("Kubernetes has no such kind in the group `{group}`; {say} `{}`", kinds.join("`, `"));
        Err(invalid("kind", kind, rule, suggestion))
    }

    /// Returns true if `text` names the kind's group in a spelling that [`BuiltIn::is_group`] accepts.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let (written, _) = self.written_group();
        text == self.module || text == written || (text == self.group && !text.is_empty())
    }

    /// Returns the group as users of kubebuilder write it, and the domain `k8s.io` if the API group ends with it:
    /// `networking` and `k8s.io` for `networking.k8s.io`, `apps` and `None` for `apps`. The core group is `core`.
    pub fn written_group(&self) -> (&'static str, Option<&'static str>) {
        match self.group {
            "" => ("core", None),
            group => match group.strip_suffix(DOMAIN).and_then(|group| group.strip_suffix('.')) {
                Some(group) => (group, Some(DOMAIN)),
                None => (group, None),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_found_as_they_are_written() {
        let found = |group: &str, version: Option<&str>, kind: &str| {
            let version = version.map(|version| Version::parse(version).expect("valid"));
            BuiltIn::find(group, version.as_ref(), kind).map(|found| (found.api_version(), found.written_group()))
        };
        for (group, kind, version, written) in [
            ("apps", "Deployment", "apps/v1", ("apps", None)),
            ("core", "Pod", "v1", ("core", None)),
            ("networking", "Ingress", "networking.k8s.io/v1", ("networking", Some("k8s.io"))),
            ("networking.k8s.io", "Ingress", "networking.k8s.io/v1", ("networking", Some("k8s.io"))),
            ("rbac", "Role", "rbac.authorization.k8s.io/v1", ("rbac.authorization", Some("k8s.io"))),
            ("rbac.authorization", "Role", "rbac.authorization.k8s.io/v1", ("rbac.authorization", Some("k8s.io"))),
            ("policy", "PodDisruptionBudget", "policy/v1", ("policy", None)),
            ("autoscaling", "HorizontalPodAutoscaler", "autoscaling/v2", ("autoscaling", None)),
        ] {
            assert!(BuiltIn::is_group(group), "{group}");
            assert_eq!(found(group, None, kind), Ok((version.to_owned(), written)), "{group}");
        }
        for group in ["", "app", "k8s.io", "example.com", "cert-manager"] {
            assert!(!BuiltIn::is_group(group), "{group}");
        }
        for (group, version, kind, suggestion) in [
            ("apps", None, "Deploymnt", Some("Deployment")),
            ("apps", None, "deployments", Some("Deployment")),
            ("apps", Some("v1beta1"), "Deployment", Some("v1")),
            ("apps", None, "Job", Some("batch")),
            ("batch", None, "Widget", None),
        ] {
            let error = found(group, version, kind).expect_err(kind);
            assert_eq!(error.suggestion.as_deref(), suggestion, "{group} {kind}: {}", error.rule);
        }
    }
}
