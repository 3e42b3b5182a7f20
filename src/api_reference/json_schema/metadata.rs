//! The JSON schema of the field `metadata`, whose fields a CRD does not list.

use serde_json::{Map, Value, json};

/// Returns the JSON schema of `metadata`: the standard fields, with the restrictions from `restricted`, the CRD's
/// schema of `metadata`.
pub(super) fn metadata(namespaced: bool, restricted: &Value) -> Value {
    let mut properties = Map::new();
    for (name, schema) in [
        ("name", string_schema("Name of the object, unique among those of its kind in a namespace.")),
        ("generateName", string_schema("Prefix of the name that the server generates, if no name is set.")),
        ("labels", map("Labels, by which selectors select the object.")),
        ("annotations", map("Annotations, in which tools and people store additional information.")),
        (
            "finalizers",
            json!({"type": "array", "items": {"type": "string"}, "description": "Finalizers, which must be removed before the object is deleted."}),
        ),
        ("ownerReferences", owners()),
    ] {
        properties.insert(name.to_owned(), schema);
    }
    if namespaced {
        properties.insert("namespace".into(), string_schema("Namespace of the object."));
    }
    // Objects that were read from the server have the fields that it fills in.
    for (name, of) in [
        ("creationTimestamp", json!(["string", "null"])),
        ("deletionGracePeriodSeconds", json!("integer")),
        ("deletionTimestamp", json!("string")),
        ("generation", json!("integer")),
        ("managedFields", json!("array")),
        ("resourceVersion", json!("string")),
        ("selfLink", json!("string")),
        ("uid", json!("string")),
    ] {
        properties.insert(name.into(), json!({"type": of, "description": "Filled in by the server."}));
    }
    for (name, more) in restricted.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if let (Some(Value::Object(known)), Some(more)) = (properties.get_mut(name), more.as_object()) {
            known.extend(more.clone());
        }
    }
    let mut metadata = json!({
        "type": "object",
        "description": "Name, labels and annotations of the object.",
        "properties": properties,
        "additionalProperties": false,
    });
    if let Some(required) = restricted.get("required") {
        metadata["required"] = required.clone();
    }
    metadata
}

fn string_schema(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn map(description: &str) -> Value {
    json!({"type": "object", "additionalProperties": {"type": "string"}, "description": description})
}

fn owners() -> Value {
    let boolean = json!({"type": "boolean"});
    let text = json!({"type": "string"});
    let properties = json!({"apiVersion": text, "kind": text, "name": text, "uid": text, "controller": boolean, "blockOwnerDeletion": boolean});
    let owner = json!({"type": "object", "properties": properties, "required": ["apiVersion", "kind", "name", "uid"], "additionalProperties": false});
    json!({"type": "array", "items": owner, "description": "Owners of the object, which is deleted when all of them are deleted."})
}
