//! Translates a schema of `OpenAPI` 3.0, as Kubernetes uses it, to JSON Schema.

use super::super::value::text;
use serde_json::{Map, Value, json};

/// The keywords with the same meaning in `OpenAPI` 3.0 and JSON Schema.
const SAME: [&str; 16] = [
    "type",
    "description",
    "title",
    "default",
    "enum",
    "required",
    "multipleOf",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
];

/// The formats with the same syntax in Kubernetes and JSON Schema. The syntax of `duration`, for example, differs.
const FORMATS: [&str; 7] = ["date", "date-time", "email", "hostname", "ipv4", "ipv6", "uri"];

/// Converts a structural schema to a JSON schema.
pub(super) fn node(schema: &Value) -> Value {
    let mut map = convert_keywords(schema, &node);
    let is_object = text(schema, "type") == "object" || schema.get("properties").is_some();
    let open = schema["x-kubernetes-preserve-unknown-fields"] == true;
    if schema["x-kubernetes-embedded-resource"] == true {
        let any = [("apiVersion", "string"), ("kind", "string"), ("metadata", "object")];
        let properties = map.entry("properties").or_insert_with(|| Map::new().into());
        for (name, of) in any {
            if properties.get(name).is_none() {
                properties[name] = json!({"type": of});
            }
        }
        map.insert("required".into(), json!(["apiVersion", "kind"]));
    }
    // Strict validation refuses fields that the schema does not name.
    if is_object && !open {
        refuse_unknown_properties(&mut map);
    }
    map.into()
}

/// Makes a schema refuse all properties that it does not name.
pub(super) fn refuse_unknown_properties(map: &mut Map<String, Value>) {
    map.entry("additionalProperties").or_insert(Value::Bool(false));
}

/// Converts a branch, such as an element of `anyOf`, to a JSON schema. A branch allows unknown properties, because it
/// only restricts the properties of the enclosing schema.
fn branch(schema: &Value) -> Value {
    convert_keywords(schema, &branch).into()
}

fn convert_keywords(schema: &Value, below: &dyn Fn(&Value) -> Value) -> Map<String, Value> {
    let mut map = Map::new();
    for key in SAME {
        if let Some(value) = schema.get(key) {
            map.insert(key.to_owned(), value.clone());
        }
    }
    for (key, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        if schema[exclusive] == true
            && let Some(bound) = map.remove(key)
        {
            map.insert(exclusive.to_owned(), bound);
        }
    }
    if FORMATS.contains(&text(schema, "format")) {
        map.insert("format".into(), schema["format"].clone());
    }
    if let Some(pattern) = schema["pattern"].as_str().filter(|pattern| is_known_everywhere(pattern)) {
        map.insert("pattern".into(), pattern.into());
    }
    if let Some(properties) = schema["properties"].as_object() {
        let converted = properties.iter().map(|(name, property)| (name.clone(), below(property)));
        map.insert("properties".into(), Value::Object(converted.collect()));
    }
    if let Some(items) = schema.get("items") {
        map.insert("items".into(), below(items));
    }
    match schema.get("additionalProperties") {
        Some(Value::Bool(allowed)) => drop(map.insert("additionalProperties".into(), (*allowed).into())),
        Some(values) => drop(map.insert("additionalProperties".into(), below(values))),
        None => {}
    }
    if text(schema, "x-kubernetes-list-type") == "set" {
        map.insert("uniqueItems".into(), true.into());
    }
    let int_or_string = schema["x-kubernetes-int-or-string"] == true;
    if int_or_string {
        map.insert("type".into(), json!(["integer", "string"]));
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        if let Some(branches) = schema[key].as_array().filter(|_| key != "anyOf" || !int_or_string) {
            map.insert(key.to_owned(), branches.iter().map(branch).collect());
        }
    }
    if let Some(not) = schema.get("not") {
        map.insert("not".into(), branch(not));
    }
    if schema["nullable"] == true {
        nullable(&mut map);
    }
    map
}

/// Makes a schema also allow null.
fn nullable(map: &mut Map<String, Value>) {
    match map.get_mut("type") {
        Some(Value::Array(names)) => names.push("null".into()),
        Some(name) => *name = json!([name, "null"]),
        None => {}
    }
    if let Some(Value::Array(known)) = map.get_mut("enum")
        && !known.contains(&Value::Null)
    {
        known.push(Value::Null);
    }
}

/// Returns true if a pattern has the same meaning in RE2, which the API server uses, and in JavaScript.
fn is_known_everywhere(pattern: &str) -> bool {
    let own = ["\\A", "\\z", "\\Q", "\\C", "\\p", "\\P", "[[:", "\\a", "\\x{"];
    let flags = pattern.split("(?").skip(1).any(|rest| !rest.starts_with(':'));
    !flags && !own.iter().any(|own| pattern.contains(own))
}
