//! Renders JSON values as one-line YAML, as in manifests.

use crate::yaml;
use serde_json::Value;

/// Renders a value in one line of YAML.
pub(super) fn value(value: &Value) -> String {
    if value.is_array() || value.is_object() {
        return value.to_string();
    }
    let text = yaml::document(value);
    let text = text.trim_end_matches('\n');
    // JSON replaces a text that YAML would write in several lines.
    if text.contains('\n') { value.to_string() } else { text.to_owned() }
}

/// Returns the string at a key, or an empty string if there is no string at the key.
pub(super) fn text<'a>(object: &'a Value, key: &str) -> &'a str {
    object.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the items of the list at a key, or nothing if there is no list at the key.
pub(super) fn list<'a>(object: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    object.get(key).and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn strings_that_yaml_would_misread_are_quoted() {
        for (given, expected) in [
            (json!("light"), "light"),
            (json!("True"), "\"True\""),
            (json!(""), "\"\""),
            (json!("8080"), "\"8080\""),
            (json!(8080), "8080"),
            (json!(0.5), "0.5"),
            (json!(true), "true"),
            (json!("two\nlines"), "\"two\\nlines\""),
            (json!({"a": ["b"]}), "{\"a\":[\"b\"]}"),
            (json!(null), "null"),
        ] {
            assert_eq!(value(&given), expected);
        }
    }
}
