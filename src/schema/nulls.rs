//! Decides which fields are nullable.
//!
//! In schemars' schema for deserialization, every `Option` accepts null. A CRD needs `nullable` only for a field that
//! the operator may *write* as null. If serde omits the field for `None`, the field need not be nullable: the server
//! drops a null that a user sends, which has the same effect. The operator may write null for a property if schemars'
//! schema for serialization requires the property and accepts null for it.
//!
//! The server refuses null for an enum even if the enum is nullable and lists null. Without `nullable`, the server
//! drops the null of a create or an update (apiextensions-apiserver `pkg/apiserver/schema/defaulting/prunenulls.go`),
//! but not the null of a server-side apply. So opctl reports an error for an enum that the operator may write as null.

use crate::finding::Lint;
use crate::schema::finding::Findings;
use crate::schema::flatten;
use crate::schema::free_form::is_anything;
use crate::schema::marks::rust_type;
use crate::schema::path::{FieldPath, counterpart};
use serde_json::{Map, Value, json};

pub(crate) static NULL_ENUM: Lint = Lint::error(
    "OP152",
    "an optional enum that is serialized as null",
    "The operator writes null for `None`, and the server refuses null even if the enum is nullable: `Unsupported \
     value: null`. A field can be omitted instead, but a list item, a map value or a field with a default cannot.",
    "mode: Option<Mode>,\nmodes: Vec<Option<Mode>>,",
    "#[serde(default, skip_serializing_if = \"Option::is_none\")]\nmode: Option<Mode>,\nmodes: Vec<Mode>,",
);

/// Removes null from types, enums and alternatives. Fields that may be null get `nullable` instead.
pub(super) fn resolve(node: &mut Value, written: Option<&Value>, path: &FieldPath, findings: &mut Findings) {
    // The root is never null, and the server forbids `nullable` at the root.
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
            let must_be = required.contains(name);
            let can_be_written = match other {
                Some(other) => (accepts_null(other) && written_names.contains(name)) || must_be,
                None => written.is_none() || must_be,
            };
            let null = match (can_be_written, must_be, child.get("default")) {
                (false, ..) => Null::Never,
                (true, false, None) => Null::Kept("", LEFT_OUT),
                (true, true, _) => {
                    Null::Kept("that is required", "remove `#[schemars(required)]`, or use the enum without `Option`")
                }
                (true, false, Some(_)) => {
                    Null::Kept("with a default", "use the enum without `Option`, or remove the default")
                }
            };
            convert_child_null(child, other, null, &path.field(name), findings);
        }
    }
    for (key, path) in [("items", path.item()), ("additionalProperties", path.value())] {
        if let Some(child) = map.get_mut(key) {
            let other = written.and_then(|written| written.get(key));
            let kept = Null::Kept(
                "in a list or a map",
                "use the enum without `Option`, if necessary with a variant for the missing value",
            );
            let null =
                if other.is_none_or(|other| accepts_null(other) || is_anything(other)) { kept } else { Null::Never };
            convert_child_null(child, other, null, &path, findings);
        }
    }
    for key in super::path::BRANCHES {
        let Some(Value::Array(branches)) = map.get_mut(key) else { continue };
        let others = written.and_then(|written| written.get(key)).and_then(Value::as_array);
        for index in 0..branches.len() {
            let other = others.and_then(|others| counterpart(branches, index, others));
            convert_child_null(&mut branches[index], other, Null::Never, path, findings);
        }
    }
}

/// Returns true for an enum, including an enum whose values have descriptions.
fn enumeration(map: &Map<String, Value>) -> bool {
    let documented = map.get("oneOf").and_then(Value::as_array);
    map.contains_key("enum") || documented.is_some_and(|all| all.iter().all(|one| one.get("enum").is_some()))
}

const LEFT_OUT: &str = "#[serde(default, skip_serializing_if = \"Option::is_none\")]";

/// The handling of null for a value.
#[derive(Clone, Copy, PartialEq)]
enum Null {
    /// The type never writes a null.
    Never,
    /// The type may write null, so the schema keeps allowing null. The schema of an enum cannot allow null, so opctl
    /// reports a finding for an enum instead. The first text describes the field in the finding, for example `with a
    /// default`, and may be empty; the second text is the hint of the finding.
    Kept(&'static str, &'static str),
}

fn convert_child_null(
    node: &mut Value,
    written: Option<&Value>,
    null: Null,
    path: &FieldPath,
    findings: &mut Findings,
) {
    let was_null = remove(node);
    descend(node, written, path, findings);
    let anything = is_anything(node);
    if node == &json!(true) {
        *node = json!({});
    }
    let Some(map) = node.as_object_mut() else { return };
    let wanted = match null {
        Null::Never => false,
        // A schema for any JSON includes null.
        Null::Kept(..) => was_null || anything,
    };
    if !wanted {
        return;
    }
    if !enumeration(map) {
        map.insert("nullable".to_owned(), true.into());
    } else if let Null::Kept(place, hint) = null {
        let place = if place.is_empty() { String::new() } else { format!(" {place}") };
        let reason = format!("is an optional enum{place}, written as null, which the API server refuses");
        findings.add(&NULL_ENUM, path, rust_type(node), reason, hint);
    }
}

/// Removes each field with the value null from the defaults in a schema, if null means the same as an absent field.
/// Keeps the null of a nullable field in two cases: if the field is required, or if the field's schema has a default,
/// because the null overrides this default.
pub(super) fn within_defaults(node: &mut Value) {
    if let Some(mut default) = node.get("default").cloned() {
        drop_nulls(&mut default, node);
        if let Some(map) = node.as_object_mut() {
            map.insert("default".to_owned(), default);
        }
    }
    super::path::for_each_child(node, &FieldPath::root(), &mut |child, _| within_defaults(child));
}

fn drop_nulls(value: &mut Value, schema: &Value) {
    match value {
        Value::Object(map) => {
            let field = |name: &str| {
                let own = schema.get("properties").and_then(|properties| properties.get(name));
                own.or_else(|| schema.get("additionalProperties")).unwrap_or(&Value::Null)
            };
            let required = names(schema.get("required"));
            map.retain(|name, value| {
                let counts = field(name).get("default").is_some() || required.contains(name);
                let stays = counts && field(name).get("nullable").is_some();
                !value.is_null() || stays || schema.get("additionalProperties").is_some_and(is_anything)
            });
            map.iter_mut().for_each(|(name, value)| drop_nulls(value, field(name)));
        }
        Value::Array(items) => {
            let schema = schema.get("items").unwrap_or(&Value::Null);
            for item in items {
                drop_nulls(item, schema);
            }
        }
        _ => {}
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

/// Returns the schema of `T` for the schema of an `Option<T>`.
fn without_null_branch(schema: &Value) -> Value {
    let mut schema = schema.clone();
    remove(&mut schema);
    schema
}

/// Removes null from the values that a schema allows; returns true if the schema allowed null. Keeps an explicit
/// `nullable`, which the user wrote.
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

#[cfg(test)]
mod tests {
    use super::within_defaults;
    use serde_json::json;

    #[test]
    fn a_null_of_a_required_field_stays_in_a_default() {
        let field = json!({"type": "object", "nullable": true});
        let mut schema = json!({
            "type": "object",
            "properties": {"must": field, "may": field, "never": {"type": "string"}},
            "required": ["must", "never"],
            "default": {"must": null, "may": null, "never": null},
        });
        within_defaults(&mut schema);
        assert_eq!(schema["default"], json!({"must": null}));
    }
}
