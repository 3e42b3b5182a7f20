//! The keywords that Kubernetes adds to `OpenAPI`.

use serde_json::Value;

/// The keyword of a value that is an integer or a string.
pub(super) const INT_OR_STRING: &str = "x-kubernetes-int-or-string";

/// The keyword of a value whose unknown fields the server keeps.
pub(super) const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

/// Returns true if a schema has `key: true`.
pub(super) fn is_true(node: &Value, key: &str) -> bool {
    node.get(key) == Some(&Value::Bool(true))
}
