//! The conditions of an object's status.

use serde_json::Value;

/// Returns the condition of type `name` in the status of `object`; `None` if there is no such condition.
pub fn condition<'a>(object: &'a Value, name: &str) -> Option<&'a Value> {
    let conditions = object.pointer("/status/conditions").and_then(Value::as_array);
    conditions.into_iter().flatten().find(|condition| condition["type"] == name)
}

/// Returns true if `object` has a condition of type `name` with the status `True`.
pub fn is_true(object: &Value, name: &str) -> bool {
    condition(object, name).is_some_and(|condition| condition["status"] == "True")
}
