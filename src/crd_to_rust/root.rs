//! The fields of an object that belong to its Rust type: the fields below `spec`, or the fields at the root.

use super::schema_location::PRESERVE;
use serde_json::{Map, Value, json};

/// The fields that every object has.
const OBJECT: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Keywords at the root of an object's schema that opctl does not copy to the schema of the object's fields.
/// `#[kube(..)]` expresses some of these keywords, and kube cannot express the others.
const OF_KIND: [&str; 5] = ["default", "description", "nullable", "title", "x-kubernetes-validations"];

/// Returns true if the Rust type of a version must contain the fields at the object's root, as with kube's `no_spec`.
/// One of these conditions is enough: the root has fields besides `spec` and `status`; the root keeps unknown fields;
/// the `spec` is missing, is not an object, or is a map; the `status` is not an object.
pub fn has_root_fields(version: &Value) -> bool {
    let schema = &version["schema"]["openAPIV3Schema"];
    let names = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    let mut beside = names.filter(|name| !OBJECT.contains(name) && !["spec", "status"].contains(name));
    let [spec, status] = ["spec", "status"].map(|part| &schema["properties"][part]);
    let is_map = !spec["additionalProperties"].is_null() && spec["properties"].is_null();
    beside.next().is_some()
        || schema[PRESERVE] == true
        || !is_object(spec)
        || is_map
        || !status.is_null() && !is_object(status)
}

/// Returns true if the schema describes an object.
fn is_object(schema: &Value) -> bool {
    schema.is_object() && schema.get("type").is_none_or(|name| name == "object")
}

/// Returns the schema of the status, if the status is an object, as kube requires.
pub(super) fn status(schema: &Value) -> Option<&Map<String, Value>> {
    let status = &schema["properties"]["status"];
    status.as_object().filter(|_| is_object(status))
}

/// Returns the schema of the spec or, with `no_spec`, the schema of the root without the fields that kube adds.
pub(super) fn fields(schema: &Value, no_spec: bool) -> Value {
    if !no_spec {
        return schema["properties"]["spec"].clone();
    }
    let has_status = status(schema).is_some();
    let is_field = |name: &str| !(OBJECT.contains(&name) || has_status && name == "status");
    let mut fields = json!({ "type": "object", "properties": {} });
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        fields[keyword] = match value {
            Value::Object(all) if keyword == "properties" => all
                .iter()
                .filter(|(name, _)| is_field(name))
                .map(|(name, field)| (name.clone(), field.clone()))
                .collect(),
            Value::Array(all) if keyword == "required" => {
                all.iter().filter(|name| name.as_str().is_some_and(is_field)).cloned().collect()
            }
            _ if OF_KIND.contains(&keyword.as_str()) => continue,
            value => value.clone(),
        };
    }
    fields
}

/// Returns a default for a missing spec: an object with the defaults of the spec's required fields. kube's types always
/// have a spec, and with this default the API server adds a spec to every object without one, including stored objects.
/// Returns `None` if the API server requires a spec, or if an object with only these defaults might be an invalid spec.
pub(super) fn default_spec(schema: &Value) -> Option<Value> {
    let spec = &schema["properties"]["spec"];
    let names = |schema: &Value| schema["required"].as_array().cloned().unwrap_or_default();
    let is_ruled = ["allOf", "anyOf", "default", "minProperties", "not", "oneOf", "x-kubernetes-validations"]
        .iter()
        .any(|keyword| !spec[keyword].is_null());
    if is_ruled || names(schema).contains(&json!("spec")) {
        return None;
    }
    let default = |name: &Value| {
        let default = &spec["properties"][name.as_str()?]["default"];
        (!default.is_null()).then(|| (name.as_str().unwrap_or_default().to_owned(), default.clone()))
    };
    names(spec).iter().map(default).collect::<Option<Map<_, _>>>().map(Value::Object)
}

/// Returns the values in the object's spec or, with `no_spec`, the values of the fields at the object's root. Returns
/// `None` if the spec or, with `no_spec`, the object is not a JSON object.
pub(super) fn values(object: &Value, no_spec: bool) -> Option<Map<String, Value>> {
    if !no_spec {
        return object["spec"].as_object().cloned();
    }
    let mut values = object.as_object()?.clone();
    values.retain(|name, _| !OBJECT.contains(&name.as_str()) && name != "status");
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_at_the_root_where_a_spec_cannot_hold_them() {
        let (object, text) = (json!({"type": "object"}), json!({"type": "string"}));
        for (schema, expected) in [
            (json!({"properties": {"spec": object}}), false),
            (json!({"properties": {"kind": text, "metadata": object, "spec": object, "status": object}}), false),
            (json!({"properties": {"spec": {PRESERVE: true}}}), false),
            (json!({"properties": {"spec": object}, "oneOf": [{}]}), false),
            (json!({"properties": {"spec": object, "data": text}}), true),
            (json!({"properties": {"spec": text}}), true),
            (json!({"properties": {"spec": {"type": "object", "additionalProperties": text}}}), true),
            (json!({"properties": {"spec": object, "status": text}}), true),
            (json!({"properties": {"spec": object}, PRESERVE: true}), true),
            (json!({"properties": {"status": object}}), true),
            (json!({}), true),
        ] {
            assert_eq!(has_root_fields(&json!({"schema": {"openAPIV3Schema": schema}})), expected, "{schema}");
        }
    }

    #[test]
    fn an_object_without_a_spec_has_the_defaults_of_required_fields() {
        let text = json!({"type": "string"});
        let role = json!({"type": "object", "required": ["a"], "properties": {"a": text}});
        let filled =
            json!({"type": "object", "required": ["a"], "properties": {"a": {"default": 1}, "b": {"default": 2}}});
        for (schema, expected) in [
            (json!({"properties": {"spec": {"type": "object"}}}), json!({})),
            (json!({"properties": {"spec": filled}}), json!({"a": 1})),
            (json!({"properties": {"spec": {"type": "object"}}, "required": ["spec"]}), Value::Null),
            (json!({"properties": {"spec": role}}), Value::Null),
            (json!({"properties": {"spec": {"type": "object", "minProperties": 1}}}), Value::Null),
            (json!({"properties": {"spec": {"type": "object", "default": {"a": 1}}}}), Value::Null),
        ] {
            assert_eq!(default_spec(&schema).unwrap_or_default(), expected, "{schema}");
        }
    }

    #[test]
    fn the_fields_are_those_that_kube_does_not_add() {
        let (object, text) = (json!({"type": "object"}), json!({"type": "string"}));
        let schema = json!({
            "description": "A disk.", "type": "object", "oneOf": [{"required": ["size"]}],
            "required": ["metadata", "size"], "properties": {"kind": text, "size": text, "spec": object, "status": object},
        });
        let of_root = json!({
            "type": "object", "oneOf": [{"required": ["size"]}],
            "required": ["size"], "properties": {"size": text, "spec": object},
        });
        assert_eq!((fields(&schema, true), fields(&schema, false)), (of_root, object));
        let sample = json!({"kind": "Disk", "metadata": {}, "size": "1", "spec": {"a": 1}, "status": {}});
        let of = |no_spec| values(&sample, no_spec).map(Value::Object).unwrap();
        assert_eq!((of(true), of(false)), (json!({"size": "1", "spec": {"a": 1}}), json!({"a": 1})));
    }
}
