//! Reads strings from Kubernetes objects.

use serde_json::Value;

/// Returns the text at a JSON pointer, or an empty text if the pointer leads to no text.
pub(in crate::packaging) fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
