//! The service accounts of the operator's pods, which the Operator Lifecycle Manager creates with the rights that the
//! `ClusterServiceVersion` gives them.

use crate::packaging::read_strings::text;
use serde_json::{Value, json};

/// The service accounts of a bundle's Deployments, whose roles become rules of the `ClusterServiceVersion`.
pub(super) struct Accounts<'a> {
    names: Vec<&'a str>,
    objects: &'a [Value],
}

impl<'a> Accounts<'a> {
    /// Returns the service accounts of the Deployments among `objects`.
    pub(super) fn of(objects: &'a [Value]) -> Self {
        let deployments = objects.iter().filter(|object| object["kind"] == "Deployment");
        let mut names: Vec<&str> =
            deployments.map(|deployment| text(deployment, "/spec/template/spec/serviceAccountName")).collect();
        names.retain(|name| !name.is_empty());
        names.sort_unstable();
        names.dedup();
        Accounts { names, objects }
    }

    /// Returns true if the Operator Lifecycle Manager creates the object, so that the bundle must not contain the
    /// object. The Operator Lifecycle Manager creates the service accounts of the Deployments, the bindings whose
    /// subjects are all such service accounts, and the roles to which only such bindings refer.
    pub(super) fn have(&self, object: &Value) -> bool {
        match text(object, "/kind") {
            "ServiceAccount" => self.names.contains(&text(object, "/metadata/name")),
            "ClusterRoleBinding" | "RoleBinding" => self.role(object).is_some(),
            "ClusterRole" | "Role" => {
                let mut bindings = self.bindings().filter(|binding| is_bound(object, binding)).peekable();
                bindings.peek().is_some() && bindings.all(|binding| self.role(binding).is_some())
            }
            _ => false,
        }
    }

    /// Returns the entries of `clusterPermissions` if `kind` is `ClusterRoleBinding`, or the entries of `permissions`
    /// if `kind` is `RoleBinding`.
    pub(super) fn permissions(&self, kind: &str) -> Vec<Value> {
        let entry = |account: &&str| {
            let rules = self.rules(kind, account);
            (!rules.is_empty()).then(|| json!({"serviceAccountName": account, "rules": rules}))
        };
        let mut entries: Vec<Value> = self.names.iter().filter_map(entry).collect();
        if kind == "RoleBinding" {
            // An account without an entry would not be created.
            let has_none = |account: &&&str| {
                ["ClusterRoleBinding", "RoleBinding"].iter().all(|kind| self.rules(kind, account).is_empty())
            };
            let without = self.names.iter().filter(has_none);
            entries.extend(without.map(|account| json!({"serviceAccountName": account, "rules": []})));
        }
        entries
    }

    fn rules(&self, kind: &str, account: &str) -> Vec<Value> {
        let is_subject = |binding: &&Value| {
            let mut subjects = binding["subjects"].as_array().into_iter().flatten();
            binding["kind"] == kind && subjects.any(|subject| subject["name"] == account)
        };
        let roles = self.bindings().filter(is_subject).filter_map(|binding| self.role(binding));
        roles.flat_map(|role| role["rules"].as_array().cloned().unwrap_or_default()).collect()
    }

    /// Returns the role of a binding if the `ClusterServiceVersion` can hold the role's rules: all subjects are service
    /// accounts of the Deployments, and the role does not aggregate other roles.
    fn role(&self, binding: &Value) -> Option<&'a Value> {
        let subjects = binding["subjects"].as_array().filter(|subjects| !subjects.is_empty())?;
        let namespace = |subject: &Value| {
            subject["namespace"].is_null()
                || self.objects.iter().any(|object| {
                    object["kind"] == "Deployment" && object["metadata"]["namespace"] == subject["namespace"]
                })
        };
        let is_ours = |subject: &Value| {
            subject["kind"] == "ServiceAccount" && self.names.contains(&text(subject, "/name")) && namespace(subject)
        };
        let role = self.objects.iter().find(|object| is_bound(object, binding))?;
        (subjects.iter().all(is_ours) && role["aggregationRule"].is_null()).then_some(role)
    }

    fn bindings(&self) -> impl Iterator<Item = &'a Value> {
        self.objects.iter().filter(|object| text(object, "/kind").ends_with("RoleBinding"))
    }
}

/// Returns true if the binding refers to the role.
fn is_bound(role: &Value, binding: &Value) -> bool {
    role["kind"] == binding["roleRef"]["kind"]
        && text(role, "/metadata/name") == text(binding, "/roleRef/name")
        && !text(role, "/metadata/name").is_empty()
        && text(role, "/apiVersion").starts_with("rbac.authorization.k8s.io/")
}
