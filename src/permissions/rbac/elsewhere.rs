//! Generates kustomize replacements for Roles in namespaces other than the manager's. The field `namespace` of
//! `config/default` makes kustomize set the manager's namespace on all objects. Afterwards, the replacements set the
//! original namespaces of these Roles and of their bindings again.

use super::grant::Grant;
use super::role_place::Place;
use super::roles::{ACCOUNT, API_GROUP, NAMESPACE_ANNOTATION, by_place};
use serde_json::{Value, json};

/// Returns the kustomize replacements that restore the namespaces of the Roles outside of the manager's namespace and
/// of their bindings. The replacements also set the service account in these bindings, because kustomize looks for a
/// subject only in the binding's namespace. If `namespaced` is true, the default role is a Role in the manager's
/// namespace.
pub(crate) fn replacements(grants: &[Grant], namespaced: bool) -> Vec<Value> {
    let by_place = by_place(grants, namespaced);
    let elsewhere: Vec<&Place> = by_place.keys().filter(|place| place.is_elsewhere()).collect();
    let bound: Vec<String> = elsewhere.iter().filter(|place| place.is_bound()).map(|place| place.binding()).collect();
    let moved = elsewhere.iter().map(|place| {
        let binding = place.is_bound().then(|| target("RoleBinding", &place.binding(), "metadata.namespace"));
        let targets: Vec<Value> =
            [target("Role", &place.name, "metadata.namespace")].into_iter().chain(binding).collect();
        let field = format!("metadata.annotations.[{NAMESPACE_ANNOTATION}]");
        let source = json!({"group": API_GROUP, "kind": "Role", "name": place.name, "fieldPath": field});
        json!({"source": source, "targets": targets})
    });
    let subjects = ["name", "namespace"].into_iter().filter(|_| !bound.is_empty()).map(|field| {
        let named = |binding: &String| target("RoleBinding", binding, &format!("subjects.0.{field}"));
        let source = json!({"kind": "ServiceAccount", "name": ACCOUNT, "fieldPath": format!("metadata.{field}")});
        json!({"source": source, "targets": bound.iter().map(named).collect::<Vec<_>>()})
    });
    moved.chain(subjects).collect()
}

fn target(kind: &str, name: &str, field: &str) -> Value {
    json!({"select": {"group": API_GROUP, "kind": kind, "name": name}, "fieldPaths": [field]})
}
