//! The keywords that Kubernetes adds to `OpenAPI`.

use serde_json::Value;

/// The keyword that marks a value as an integer or a string.
pub(super) const INT_OR_STRING: &str = "x-kubernetes-int-or-string";

/// The keyword that makes the API server keep unknown fields of a value.
pub(super) const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

/// Returns true if the keyword `key` of a schema is `true`.
pub(super) fn is_true(node: &Value, key: &str) -> bool {
    node.get(key) == Some(&Value::Bool(true))
}
