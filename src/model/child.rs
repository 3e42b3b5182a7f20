//! Lists the built-in kinds that opctl can scaffold as children, and finds such a kind by name. Children are the
//! objects that a controller creates for each custom resource.

use super::InvalidName;
use super::built_in::{BuiltIn, KINDS};
use super::names::invalid;
use strsim::levenshtein;

/// The kinds that can be scaffolded as children. `templates/resource/src/controller/children` has a template per kind.
#[rustfmt::skip]
const CHILDREN: &[Row] = &[
    Row { kind: "ClusterRole", short: None, role: ChildRole::Role, deletion: Deletion::ComesBack, longest_name: 63, makes: &[] },
    Row { kind: "ClusterRoleBinding", short: None, role: ChildRole::Binding, deletion: Deletion::ComesBack, longest_name: 63, makes: &[] },
    Row { kind: "ConfigMap", short: Some("cm"), role: ChildRole::Plain, deletion: Deletion::ComesBack, longest_name: 63, makes: &[] },
    Row { kind: "CronJob", short: Some("cj"), role: ChildRole::Job, deletion: Deletion::ComesBack, longest_name: 52, makes: &["Job", "Pod"] },
    Row { kind: "DaemonSet", short: Some("ds"), role: ChildRole::Daemon, deletion: Deletion::ComesBack, longest_name: 63, makes: &["ControllerRevision", "Pod"] },
    Row { kind: "Deployment", short: Some("deploy"), role: ChildRole::Scalable, deletion: Deletion::ComesBack, longest_name: 63, makes: &["ReplicaSet", "Pod"] },
    Row { kind: "HorizontalPodAutoscaler", short: Some("hpa"), role: ChildRole::Plain, deletion: Deletion::ComesBack, longest_name: 63, makes: &[] },
    Row { kind: "Ingress", short: Some("ing"), role: ChildRole::Plain, deletion: Deletion::ComesBack, longest_name: 63, makes: &[] },
    Row { kind: "Job", short: None, role: ChildRole::Job, deletion: Deletion::ComesBack, longest_name: 63, makes: &["Pod"] },
    Row { kind: "LimitRange", short: None, role: ChildRole::Plain, deletion: Deletion::ComesBack, longest_name: 63, makes: &[] },
    Row { kind: "Namespace", short: Some("ns"), role: ChildRole::Namespace, deletion: Deletion::Lasts, longest_name: 63, makes: &["ConfigMap", "ServiceAccount"] },
    Row { kind: "NetworkPolicy", short: Some("netpol"), role: ChildRole::Plain, deletion: Deletion::ComesBack, longest_name: 63, makes: &[] },
    Row { kind: "PersistentVolumeClaim", short: Some("pvc"), role: ChildRole::Plain, deletion: Deletion::Lasts, longest_name: 63, makes: &[] },
    Row { kind: "Pod", short: Some("po"), role: ChildRole::Pod, deletion: Deletion::ComesBack, longest_name: 63, makes: &[] },
    Row { kind: "PodDisruptionBudget", short: Some("pdb"), role: ChildRole::Plain, deletion: Deletion::ComesBack, longest_name: 63, makes: &[] },
    Row { kind: "ResourceQuota", short: None, role: ChildRole::Plain, deletion: Deletion::ComesBack, longest_name: 63, makes: &[] },
    Row { kind: "Role", short: None, role: ChildRole::Role, deletion: Deletion::ComesBack, longest_name: 63, makes: &[] },
    Row { kind: "RoleBinding", short: None, role: ChildRole::Binding, deletion: Deletion::ComesBack, longest_name: 63, makes: &[] },
    Row { kind: "Secret", short: None, role: ChildRole::Plain, deletion: Deletion::MadeOnce, longest_name: 63, makes: &[] },
    Row { kind: "Service", short: Some("svc"), role: ChildRole::Plain, deletion: Deletion::ComesBack, longest_name: 63, makes: &["EndpointSlice", "Endpoints"] },
    Row { kind: "ServiceAccount", short: Some("sa"), role: ChildRole::Plain, deletion: Deletion::ComesBack, longest_name: 63, makes: &[] },
    Row { kind: "StatefulSet", short: Some("sts"), role: ChildRole::Scalable, deletion: Deletion::ComesBack, longest_name: 52, makes: &["ControllerRevision", "Pod", "PersistentVolumeClaim"] },
];

#[derive(Debug, PartialEq, Eq)]
struct Row {
    kind: &'static str,
    /// The short name that kubectl accepts for the kind.
    short: Option<&'static str>,
    role: ChildRole,
    deletion: Deletion,
    /// The maximum length of the name of an object that owns a child of this kind. The maximum is usually 63, the limit
    /// of a label's value. The maximum is 52 for a `StatefulSet`, because Kubernetes appends a hash to the name for a
    /// label of the pods, and for a `CronJob`, because Kubernetes appends a time to the name for the `Job`.
    longest_name: usize,
    /// The kinds of the objects that the cluster creates for an object of this kind.
    makes: &'static [&'static str],
}

/// The role of a child in the generated code of the controller that owns it. The role decides which generated functions
/// and labels the child shares with other children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildRole {
    /// A child that selects pods by labels and that an autoscaler can scale.
    Scalable,
    /// A child that selects pods by labels and runs one pod on each node.
    Daemon,
    /// A child that runs pods until the pods are done.
    Job,
    /// A pod that no other object manages.
    Pod,
    /// A child that grants permissions.
    Role,
    /// A child that binds a role to subjects.
    Binding,
    /// The namespace that contains the other children and is created first.
    Namespace,
    /// A child that shares no functions and labels with other children.
    Plain,
}

/// The effect of a user's deletion of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    /// The deletion removes the child at once, and the controller then creates the child again. A scaffolded test can
    /// check that the controller does this.
    ComesBack,
    /// The deletion removes the child at once, and the controller then creates a new child. The controller sets the
    /// content only when it creates the child, and never changes the content later, because the content may hold a
    /// password.
    MadeOnce,
    /// Finalizers delay the removal of a deleted child, so that the child still exists at the end of the scaffolded
    /// test.
    Lasts,
}

/// A kind that a controller owns: the controller creates one object of the kind for each object that it reconciles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child {
    built_in: &'static BuiltIn,
    row: &'static Row,
}

impl Child {
    /// Finds a kind by its name, optionally followed by a dot and its group, such as `Role.rbac`.
    ///
    /// # Errors
    /// Fails if the kind cannot be scaffolded as a child. The error names the candidates.
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        let (kind, group) = text.split_once('.').map_or((text, None), |(kind, group)| (kind, Some(group)));
        let row = CHILDREN.iter().find(|row| row.kind == kind);
        let named = |built_in: &&BuiltIn| row.is_some_and(|row| row.kind == built_in.kind);
        let of_group = |built_in: &&BuiltIn| group.is_none_or(|group| built_in.is_in(group));
        // The list has the newest version of a group last.
        let found = KINDS.iter().rfind(|built_in| named(built_in) && of_group(built_in));
        if let (Some(built_in), Some(row)) = (found, row) {
            return Ok(Child { built_in, row });
        }
        let near = near_child(kind);
        let rule = if row.is_some() {
            let groups: Vec<_> = KINDS.iter().filter(named).map(BuiltIn::api_version).collect();
            format!("the kind `{kind}` belongs to `{}`", groups.join("`, `"))
        } else if near.is_empty() {
            format!(
                "these kinds can be scaffolded: {}; add other kinds by hand with `.owns::<Kind>()`",
                kinds().join(", ")
            )
        } else {
            format!("this kind cannot be scaffolded; similar kinds: `{}`", near.join("`, `"))
        };
        // A kind that is like none may be one of the user's own: another one would not help.
        Err(invalid("owns", text, rule, near.first().map(|kind| (*kind).to_owned())))
    }

    /// Returns all kinds that can be scaffolded as children.
    pub fn all() -> impl Iterator<Item = Self> {
        kinds().into_iter().filter_map(|kind| Self::parse(kind).ok())
    }

    /// Returns the kinds `Deployment` and `Service`, the children that run an image and make the image's port
    /// reachable.
    pub fn of_image() -> impl Iterator<Item = Self> {
        ["Deployment", "Service"].into_iter().filter_map(|kind| Self::parse(kind).ok())
    }

    /// Returns the child's kind.
    pub fn built_in(self) -> &'static BuiltIn {
        self.built_in
    }

    /// Returns the role of the child in the generated code of its controller.
    pub fn role(self) -> ChildRole {
        self.row.role
    }

    /// Returns the effect of a user's deletion of the child.
    pub fn deletion(self) -> Deletion {
        self.row.deletion
    }

    /// Returns the maximum length of the name of an object that owns a child of this kind.
    pub fn longest_name(self) -> usize {
        self.row.longest_name
    }

    /// Returns true if the child is of the kind `owner`, or makes the cluster create objects of this kind. A controller
    /// of `owner` would then create children without end.
    pub fn leads_to(self, owner: &BuiltIn) -> bool {
        let is_owner = (self.built_in.kind, self.built_in.group) == (owner.kind, owner.group);
        is_owner || self.row.makes.contains(&owner.kind)
    }
}

fn kinds() -> Vec<&'static str> {
    CHILDREN.iter().map(|row| row.kind).collect()
}

impl std::fmt::Display for Child {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.built_in.kind)
    }
}

/// Returns the kinds that the user may have meant by a misspelt name, a plural or a short name, the nearest first.
fn near_child(text: &str) -> Vec<&'static str> {
    let lower = text.to_ascii_lowercase();
    if let Some(row) = CHILDREN.iter().find(|row| row.short == Some(lower.as_str())) {
        return vec![row.kind];
    }
    let close = |kind: &&str| {
        let kind_lower = kind.to_ascii_lowercase();
        KINDS.iter().any(|built_in| built_in.kind == *kind && built_in.plural == lower)
            || (lower.len() > 2 && kind_lower.starts_with(&lower))
            || levenshtein(&kind_lower, &lower) <= (kind_lower.len() / 4).max(1)
    };
    let mut near: Vec<_> = kinds().into_iter().filter(close).collect();
    near.sort_by_key(|kind| levenshtein(&kind.to_ascii_lowercase(), &lower));
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_child_is_known_with_its_resource() {
        for kind in kinds() {
            assert_eq!(Child::parse(kind).expect(kind).to_string(), kind);
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
            ("deployment", Some("Deployment")),
            ("services", Some("Service")),
            ("pvc", Some("PersistentVolumeClaim")),
            ("Configmap", Some("ConfigMap")),
            ("StatefullSet", Some("StatefulSet")),
            ("Cron", Some("CronJob")),
            ("Jb", Some("Job")),
            ("Deployment.batch", Some("Deployment")),
            ("Widget", None),
            ("", None),
        ] {
            let error = Child::parse(text).expect_err(text);
            assert_eq!(error.suggestion.as_deref(), suggestion, "{text}: {}", error.rule);
        }
    }

    #[test]
    fn a_child_that_makes_its_owner_is_known() {
        let kind = |group: &str, kind: &str| BuiltIn::find(group, None, kind).expect(kind);
        let child = |kind: &str| Child::parse(kind).expect(kind);
        let (deployment, pod) = (kind("apps", "Deployment"), kind("core", "Pod"));
        assert!(child("Deployment").leads_to(pod) && child("Deployment").leads_to(deployment));
        assert!(!child("ConfigMap").leads_to(deployment) && !child("Pod").leads_to(deployment));
    }
}
