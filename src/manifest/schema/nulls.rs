//! What is nullable.
//!
//! schemars lets every `Option` read a null. A CRD needs `nullable` only where the operator may *write* one: where
//! serde leaves `None` out, a null that a user sends is dropped by the server, which is the same. What a type writes is
//! the other contract of schemars: a property that is required there and may be null is written as null.

use super::{FieldPath, Findings, flatten, rust_type};
use serde_json::{Map, Value, json};

/// Takes null out of types, enums and alternatives, and says `nullable` where it stays possible.
pub(super) fn resolve(node: &mut Value, written: Option<&Value>, path: &FieldPath, findings: &mut Findings) {
    // The root is never null, and the server forbids to say it is.
    remove(node);
    descend(node, written, path, findings);
}

fn descend(node: &mut Value, written: Option<&Value>, path: &FieldPath, findings: &mut Findings) {
    let Some(map) = node.as_object_mut() else { return };
    let written = written.map(without_null_branch);
    let written = written.as_ref();
    let required: Vec<String> = names(map.get("required"));
    let written_names: Vec<String> = written.map(|written| names(written.get("required"))).unwrap_or_default();
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        for (name, child) in properties {
            let other = written.and_then(|written| written.get("properties")?.get(name));
            let can_be_written = match other {
                Some(other) => (accepts_null(other) && written_names.contains(name)) || required.contains(name),
                None => written.is_none() || required.contains(name),
            };
            one(child, other, can_be_written, &path.field(name), findings);
        }
    }
    for (key, path) in [("items", path.item()), ("additionalProperties", path.value())] {
        if let Some(child) = map.get_mut(key) {
            let other = written.and_then(|written| written.get(key));
            one(child, other, other.is_none_or(accepts_null), &path, findings);
        }
    }
    for key in super::path::BRANCHES {
        let Some(Value::Array(branches)) = map.get_mut(key) else { continue };
        let others = written.and_then(|written| written.get(key)).and_then(Value::as_array);
        for (index, branch) in branches.iter_mut().enumerate() {
            let other = others.filter(|others| others.len() > index).map(|others| &others[index]);
            one(branch, other, false, path, findings);
        }
    }
}

fn one(node: &mut Value, written: Option<&Value>, can_be_written: bool, path: &FieldPath, findings: &mut Findings) {
    let was_null = remove(node);
    descend(node, written, path, findings);
    if was_null
        && can_be_written
        && let Some(map) = node.as_object_mut()
    {
        if map.contains_key("enum") {
            findings.warning(
                "OP152",
                path,
                rust_type(&Value::Object(map.clone())),
                "is an optional enum that is written as null, which the API server refuses",
                "#[serde(default, skip_serializing_if = \"Option::is_none\")]",
            );
        }
        map.insert("nullable".to_owned(), true.into());
    }
}

fn names(required: Option<&Value>) -> Vec<String> {
    required
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect()
}

fn is_null(schema: &Value) -> bool {
    schema.get("type") == Some(&json!("null")) || schema.get("enum") == Some(&json!([null]))
}

fn accepts_null(schema: &Value) -> bool {
    let types = schema.get("type").and_then(Value::as_array);
    let branches = ["anyOf", "oneOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    types.is_some_and(|types| types.contains(&json!("null"))) || branches.into_iter().any(is_null)
}

/// The schema that an `Option` wraps, for looking on.
fn without_null_branch(schema: &Value) -> Value {
    let mut schema = schema.clone();
    remove(&mut schema);
    schema
}

/// Removes null from what a schema accepts; whether it was there. An explicit `nullable` is the user's and stays.
fn remove(node: &mut Value) -> bool {
    if node.as_object().is_none_or(Map::is_empty) || is_null(node) {
        return false;
    }
    let Some(map) = node.as_object_mut() else { return false };
    let mut removed = remove_type(map);
    if let Some(Value::Array(values)) = map.get_mut("enum") {
        let before = values.len();
        values.retain(|value| !value.is_null());
        removed |= values.len() < before;
    }
    for key in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = map.get_mut(key) else { continue };
        let before = branches.len();
        branches.retain(|branch| !is_null(branch));
        if branches.len() == before {
            continue;
        }
        removed = true;
        if branches.len() == 1 {
            let only = branches.remove(0);
            map.remove(key);
            flatten::merge(node, only);
            return remove(node) || removed;
        }
    }
    removed
}

fn remove_type(map: &mut Map<String, Value>) -> bool {
    let Some(Value::Array(types)) = map.get_mut("type") else { return false };
    let before = types.len();
    types.retain(|name| name != "null");
    let removed = types.len() < before;
    if types.len() == 1 {
        let only = types.remove(0);
        map.insert("type".to_owned(), only);
    }
    removed
}
