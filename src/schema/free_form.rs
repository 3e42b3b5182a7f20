//! Marks the values that have no schema as free-form, because the API server would otherwise prune their fields.

use super::extensions::PRESERVE;
use crate::schema::path::{self, FieldPath};
use serde_json::{Value, json};

/// The keywords that restrict a value to a type or a structure.
const SHAPE: [&str; 10] =
    ["type", "properties", "items", "allOf", "anyOf", "oneOf", "not", "$ref", "x-kubernetes-int-or-string", PRESERVE];

/// Returns true if a schema allows any JSON value.
pub(super) fn is_anything(node: &Value) -> bool {
    let shape = |map: &serde_json::Map<String, Value>| SHAPE.iter().chain(&["enum"]).any(|key| map.contains_key(*key));
    node == &json!(true) || node.as_object().is_some_and(|map| !shape(map))
}

/// Marks every schema that allows any JSON value, such as the schema of `serde_json::Value`, as free-form. If an
/// enum has no type, adds the type of the enum's values.
pub(super) fn preserve(node: &mut Value) {
    preserve_below(node, false);
}

fn preserve_below(node: &mut Value, branch: bool) {
    if node == &json!(true) {
        *node = json!({});
    }
    if let Some(map) = node.as_object_mut() {
        if !map.contains_key("type") && map.contains_key("properties") && !branch {
            map.insert("type".to_owned(), "object".into());
        }
        let values = map.get("enum").and_then(Value::as_array).cloned();
        if let (Some(values), false, false) = (values, map.contains_key("type"), branch) {
            if let Some(name) = common_type(&values) {
                map.insert("type".to_owned(), name.into());
            }
        } else if !branch && !SHAPE.iter().any(|key| map.contains_key(*key)) {
            map.insert(PRESERVE.to_owned(), true.into());
        }
        if map.get("additionalProperties") == Some(&json!(true)) {
            map.insert("additionalProperties".to_owned(), json!({}));
        }
    }
    let branches = path::BRANCHES.into_iter().chain(["not"]);
    let branch_keys: Vec<&str> = branches.filter(|key| node.get(key).is_some()).collect();
    let held: Vec<(&str, Value)> = branch_keys
        .into_iter()
        .filter_map(|key| node.as_object_mut().and_then(|map| map.remove(key)).map(|value| (key, value)))
        .collect();
    path::for_each_child(node, &FieldPath::root(), &mut |child, _| preserve_below(child, branch));
    // Branches only restrict fields that the schema outside of them describes.
    if let Some(map) = node.as_object_mut() {
        map.extend(held.into_iter().map(|(key, value)| (key.to_owned(), value)));
    }
}

fn common_type(values: &[Value]) -> Option<&'static str> {
    let name = |value: &Value| match value {
        Value::String(_) => Some("string"),
        Value::Bool(_) => Some("boolean"),
        Value::Number(number) if number.is_f64() => Some("number"),
        Value::Number(_) => Some("integer"),
        _ => None,
    };
    let first = name(values.first()?)?;
    values.iter().all(|value| name(value) == Some(first)).then_some(first)
}
