//! Decides the namespace and the name of the role for an RBAC marker, and the name of the role's binding.

use super::grant::{DEFAULT_ROLE, Grant};

/// The placeholder for the manager's namespace in the files below `config`; kustomize replaces the placeholder.
pub(super) const MANAGER_NAMESPACE: &str = "system";

/// The namespace and the name of a role.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// The namespace; empty for a `ClusterRole`.
    pub(super) namespace: String,
    pub(super) name: String,
}

impl Place {
    /// Returns the role of a grant. If `namespaced` is true, the default role is in the manager's namespace.
    pub(super) fn of(grant: &Grant, namespaced: bool) -> Self {
        let namespace = match grant.namespace.as_str() {
            "" if namespaced && grant.is_of_the_default_role() => MANAGER_NAMESPACE,
            stated => stated,
        };
        let name = if grant.names_a_role() { grant.role_name.clone() } else { default_name(namespace) };
        Place { namespace: namespace.to_owned(), name }
    }

    /// Returns the kind of the role: `Role` in a namespace, otherwise `ClusterRole`.
    pub(super) fn kind(&self) -> &'static str {
        if self.namespace.is_empty() { "ClusterRole" } else { "Role" }
    }

    /// Returns true if the role has the default name for its namespace; a role with this name is bound to the manager.
    pub(super) fn is_bound(&self) -> bool {
        self.name == default_name(&self.namespace)
    }

    /// Returns the name of the binding that gives the role to the manager.
    pub(super) fn binding(&self) -> String {
        self.name.replacen(DEFAULT_ROLE, "manager-rolebinding", 1)
    }

    /// Returns true for a Role that is not in the manager's namespace.
    pub(super) fn is_elsewhere(&self) -> bool {
        !["", MANAGER_NAMESPACE].contains(&self.namespace.as_str())
    }
}

/// Returns the name of the role for markers without `roleName`. Outside of the manager's namespace, the name contains
/// the role's namespace, because kustomize keeps only one Role of each name.
fn default_name(namespace: &str) -> String {
    match namespace {
        "" | MANAGER_NAMESPACE => DEFAULT_ROLE.to_owned(),
        elsewhere => format!("{DEFAULT_ROLE}-{elsewhere}"),
    }
}
