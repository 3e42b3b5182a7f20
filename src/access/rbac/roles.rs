//! Roles from grants.

use super::grant::Grant;
use super::normalise;
use super::normalise::Rule;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The name of the role that markers without `roleName` add to; the scaffolded binding refers to it.
pub(crate) const DEFAULT_ROLE: &str = "manager-role";

/// The namespace of the manager in files below `config`, until kustomize sets it.
const MANAGER_NAMESPACE: &str = "system";

/// Returns the roles: a `ClusterRole` for markers without a namespace, and a Role for each namespace. The default role
/// is always there, even without rules: the scaffolded binding refers to it, and kustomize renames both together. If
/// `namespaced` is true, it is a Role in the manager's namespace.
pub(crate) fn roles(grants: &[Grant], namespaced: bool) -> Vec<Value> {
    let default = if namespaced { MANAGER_NAMESPACE } else { "" };
    let mut by_role: BTreeMap<(&str, &str), Vec<&Grant>> = BTreeMap::from([((default, DEFAULT_ROLE), Vec::new())]);
    for grant in grants {
        let name = if grant.role_name.is_empty() { DEFAULT_ROLE } else { &grant.role_name };
        let namespace = if grant.is_of_the_default_role() { default } else { &grant.namespace };
        by_role.entry((namespace, name)).or_default().push(grant);
    }
    by_role.into_iter().map(|((namespace, name), grants)| role(namespace, name, &normalise::rules(grants))).collect()
}

/// Returns a `ClusterRole` of this name with all rights of the grants.
pub(crate) fn cluster_role(name: &str, grants: &[Grant]) -> Value {
    role("", name, &normalise::rules(grants))
}

pub(super) fn role(namespace: &str, name: &str, rules: &[Rule]) -> Value {
    let mut metadata = json!({ "name": name });
    if !namespace.is_empty() {
        metadata["namespace"] = namespace.into();
    }
    json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": if namespace.is_empty() { "ClusterRole" } else { "Role" },
        "metadata": metadata,
        "rules": rules.iter().map(policy_rule).collect::<Vec<_>>(),
    })
}

fn policy_rule(rule: &Rule) -> Value {
    let parts: [(&str, &BTreeSet<String>); 5] = [
        ("apiGroups", &rule.groups),
        ("nonResourceURLs", &rule.urls),
        ("resourceNames", &rule.resource_names),
        ("resources", &rule.resources),
        ("verbs", &rule.verbs),
    ];
    let parts = parts.into_iter().filter(|(_, names)| !names.is_empty());
    Value::Object(parts.map(|(key, names)| (key.to_owned(), json!(names))).collect::<Map<_, _>>())
}
