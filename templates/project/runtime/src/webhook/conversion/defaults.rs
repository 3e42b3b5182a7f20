//! Fills in defaults of a schema, because the API server does not do so after a conversion.

use serde_json::Value;

/// Fills in the defaults of a structural schema, as the API server does for objects that users
/// write (`pkg/apiserver/schema/defaulting` of apiextensions-apiserver).
pub fn fill(value: &mut Value, schema: &Value) {
    match value {
        Value::Object(members) => {
            for (key, schema) in schema["properties"].as_object().into_iter().flatten() {
                if let Some(default) = schema.get("default").filter(|default| !default.is_null()) {
                    let is_nullable = schema["nullable"] == true;
                    let current = members.get(key);
                    if current.is_none_or(|current| current.is_null() && !is_nullable) {
                        members.insert(key.clone(), default.clone());
                    }
                }
                if let Some(member) = members.get_mut(key) {
                    fill(member, schema);
                }
            }
            let others = &schema["additionalProperties"];
            for (_, member) in members.iter_mut().filter(|_| others.is_object()) {
                fill(member, others);
            }
        }
        Value::Array(items) => {
            for item in items {
                fill(item, &schema["items"]);
            }
        }
        _ => {}
    }
}
