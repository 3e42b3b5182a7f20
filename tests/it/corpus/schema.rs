//! Changes of an object by the API server: it fills in the defaults of the schema, and must not change anything else.

use serde_json::{Map, Value};

/// Fills in the defaults as the API server does, also within the value of another default
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

/// Replaces `1.0` by `1`, as the API server does. Both are the same number in JSON.
pub(super) fn with_whole_numbers(value: &mut Value) {
    match value {
        Value::Object(map) => map.values_mut().for_each(with_whole_numbers),
        Value::Array(items) => items.iter_mut().for_each(with_whole_numbers),
        Value::Number(number) => {
            let text = number.to_string();
            if let Some(whole) = text.strip_suffix(".0").and_then(|whole| whole.parse::<i64>().ok()) {
                *value = whole.into();
            }
        }
        _ => {}
    }
}

/// Returns the schema that a CRD has for the version of `object`.
pub(super) fn of<'a>(definition: &'a Value, object: &Value) -> &'a Value {
    let version = object["apiVersion"].as_str().unwrap().rsplit('/').next().unwrap();
    let versions = definition["spec"]["versions"].as_array().unwrap();
    let found = versions.iter().find(|one| one["name"] == version).unwrap_or_else(|| panic!("no version {version}"));
    &found["schema"]["openAPIV3Schema"]
}
