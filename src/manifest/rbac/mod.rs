//! Roles from `// +opctl:rbac:…` markers.

mod grant;
mod normalise;

pub use grant::Grant;
pub use normalise::Rule;

use super::lint;
use super::markers::Marker;
use crate::error::Finding;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The name of the role that markers without `roleName` add to; the scaffolded binding refers to it.
pub const DEFAULT_ROLE: &str = "manager-role";

/// The grants of one file's markers, in the order of their lines. A marker that cannot be read, or whose rule the API
/// server would refuse, is a finding.
pub(super) fn grants(file: &Path, markers: &[Marker<'_>], findings: &mut Vec<Finding>) -> Vec<Grant> {
    let mut grants = Vec::new();
    for marker in markers.iter().filter(|marker| marker.name == "rbac") {
        match Grant::read(marker) {
            Ok(grant) => grants.push(grant),
            Err(wrong) => findings.push(lint::marker("OP401", file, marker.line, wrong)),
        }
    }
    grants
}

/// The roles: a `ClusterRole` for markers without a namespace, a Role for each namespace. The default `ClusterRole` is
/// always there, if need be without rules: the scaffolded binding refers to it, and kustomize renames both together.
pub fn roles(grants: &[Grant]) -> Vec<Value> {
    let mut by_role: BTreeMap<(&str, &str), Vec<&Grant>> = BTreeMap::from([(("", DEFAULT_ROLE), Vec::new())]);
    for grant in grants {
        let name = if grant.role_name.is_empty() { DEFAULT_ROLE } else { &grant.role_name };
        by_role.entry((&grant.namespace, name)).or_default().push(grant);
    }
    by_role.into_iter().map(|((namespace, name), grants)| role(namespace, name, &normalise::rules(grants))).collect()
}

fn role(namespace: &str, name: &str, rules: &[Rule]) -> Value {
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

#[cfg(test)]
mod tests;
