//! Generates roles and role bindings from grants.

use super::grant::Grant;
use super::normalise::{self, Rule};
use super::role_place::{MANAGER_NAMESPACE, Place};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const API_GROUP: &str = "rbac.authorization.k8s.io";
/// The name of the manager's service account.
pub(super) const ACCOUNT: &str = "controller-manager";
/// The annotation that opctl writes on a Role outside of the manager's namespace. Its value is the Role's namespace,
/// which a kustomize replacement copies to `metadata.namespace`.
pub(super) const NAMESPACE_ANNOTATION: &str = "opctl.dev/namespace";

/// Returns the roles that RBAC markers declare: a `ClusterRole` for markers without a namespace, and a Role for each
/// namespace that markers name. Also returns bindings of these roles to the manager's service account, with two
/// exceptions: a role whose markers have a `roleName` gets no binding, and the default role already has a scaffolded
/// binding.
///
/// The default role is always present, even without rules, because the scaffolded binding refers to it, and kustomize
/// renames both objects together. If `namespaced` is true, the default role is a Role in the manager's namespace.
pub(crate) fn roles(grants: &[Grant], namespaced: bool) -> Vec<Value> {
    let by_place = by_place(grants, namespaced);
    let roles = by_place.iter().map(|(place, grants)| role(place, &normalise::rules(grants.iter().copied())));
    let default = Place::of(&Grant::default(), namespaced);
    let bound = by_place.keys().filter(|place| **place != default && place.is_bound());
    roles.chain(bound.map(binding)).collect()
}

/// Returns a `ClusterRole` of this name with all rights of the grants.
pub(crate) fn cluster_role(name: &str, grants: &[Grant]) -> Value {
    role(&Place { namespace: String::new(), name: name.to_owned() }, &normalise::rules(grants))
}

/// Groups the grants by role; the default role is always present.
pub(super) fn by_place(grants: &[Grant], namespaced: bool) -> BTreeMap<Place, Vec<&Grant>> {
    let mut by_place = BTreeMap::from([(Place::of(&Grant::default(), namespaced), Vec::new())]);
    for grant in grants {
        by_place.entry(Place::of(grant, namespaced)).or_default().push(grant);
    }
    by_place
}

fn role(place: &Place, rules: &[Rule]) -> Value {
    let mut metadata = metadata(place, &place.name);
    if place.is_elsewhere() {
        metadata["annotations"] = json!({ NAMESPACE_ANNOTATION: place.namespace });
    }
    json!({
        "apiVersion": format!("{API_GROUP}/v1"),
        "kind": place.kind(),
        "metadata": metadata,
        "rules": rules.iter().map(policy_rule).collect::<Vec<_>>(),
    })
}

fn binding(place: &Place) -> Value {
    json!({
        "apiVersion": format!("{API_GROUP}/v1"),
        "kind": format!("{}Binding", place.kind()),
        "metadata": metadata(place, &place.binding()),
        "roleRef": {"apiGroup": API_GROUP, "kind": place.kind(), "name": place.name},
        "subjects": [{"kind": "ServiceAccount", "name": ACCOUNT, "namespace": MANAGER_NAMESPACE}],
    })
}

fn metadata(place: &Place, name: &str) -> Value {
    let mut metadata = json!({ "name": name });
    if !place.namespace.is_empty() {
        metadata["namespace"] = place.namespace.as_str().into();
    }
    metadata
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
