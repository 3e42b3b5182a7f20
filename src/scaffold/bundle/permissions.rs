//! The permissions of service accounts, as rules in the `ClusterServiceVersion`.

use super::text::text;
use serde_json::{Value, json};

/// Returns the entry of the service account for the `ClusterServiceVersion`, with the rules of the roles that bindings
/// of this kind give to it.
pub(super) fn permissions(objects: &[Value], binding: &str, account: &str) -> Vec<Value> {
    let bindings = objects.iter().filter(|object| object["kind"] == binding && is_of(object, account));
    let role = |binding: &Value| objects.iter().find(|object| is_bound(object, binding));
    let rules: Vec<Value> =
        bindings.filter_map(role).flat_map(|role| role["rules"].as_array().cloned().unwrap_or_default()).collect();
    if rules.is_empty() { Vec::new() } else { vec![json!({"serviceAccountName": account, "rules": rules})] }
}

/// Returns true for a binding whose only subject is the service account.
pub(super) fn is_of(binding: &Value, account: &str) -> bool {
    let subjects = binding["subjects"].as_array().map(Vec::as_slice).unwrap_or_default();
    matches!(subjects, [one] if one["kind"] == "ServiceAccount" && one["name"] == account)
}

/// Returns true for the role that the binding refers to.
pub(super) fn is_bound(role: &Value, binding: &Value) -> bool {
    role["kind"] == binding["roleRef"]["kind"]
        && text(role, "/metadata/name") == text(binding, "/roleRef/name")
        && !text(role, "/metadata/name").is_empty()
}
