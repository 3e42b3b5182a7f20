//! Keywords that Kubernetes adds to `OpenAPI`.

use serde_json::Value;

/// Any number or string.
pub(super) const INT_OR_STRING: &str = "x-kubernetes-int-or-string";

/// Any JSON, which the server keeps as it is.
pub(super) const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

/// Tells whether a schema has `key: true`.
pub(super) fn is_true(node: &Value, key: &str) -> bool {
    node.get(key) == Some(&Value::Bool(true))
}
