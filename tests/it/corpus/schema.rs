//! What a server makes of an object: its schema's defaults are put in. Nothing else may change.

use serde_json::{Map, Value};

/// Puts in the defaults, as the server does: also into what a default has just put in
/// (`k8s.io/apiextensions-apiserver` `pkg/apiserver/schema/defaulting/algorithm.go`).
pub(super) fn with_defaults(value: &mut Value, schema: &Value) {
    match value {
        Value::Object(map) => object(map, schema),
        Value::Array(items) => items.iter_mut().for_each(|item| with_defaults(item, &schema["items"])),
        _ => {}
    }
}

fn object(map: &mut Map<String, Value>, schema: &Value) {
    let properties = schema["properties"].as_object();
    for (name, property) in properties.into_iter().flatten() {
        if let (None, Some(default)) = (map.get(name), property.get("default")) {
            map.insert(name.clone(), default.clone());
        }
    }
    for (name, value) in map {
        let inner =
            properties.and_then(|properties| properties.get(name)).or_else(|| schema.get("additionalProperties"));
        if let Some(inner) = inner {
            with_defaults(value, inner);
        }
    }
}

/// The schema of an object's version in a definition.
pub(super) fn of<'a>(definition: &'a Value, object: &Value) -> &'a Value {
    let version = object["apiVersion"].as_str().unwrap().rsplit('/').next().unwrap();
    let versions = definition["spec"]["versions"].as_array().unwrap();
    let found = versions.iter().find(|one| one["name"] == version).unwrap_or_else(|| panic!("no version {version}"));
    &found["schema"]["openAPIV3Schema"]
}
