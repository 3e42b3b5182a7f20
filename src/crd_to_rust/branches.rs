//! Simplifies the alternatives in a schema (`allOf`, `anyOf`, `oneOf` and `not`), so that Rust types and opctl's checks
//! can express them.

use super::schema_location::PRESERVE;
use serde_json::{Map, Value, json};

/// Removes empty schemas within `allOf`, `anyOf`, `oneOf` and `not`. An empty schema accepts any value, and the
/// generated types and opctl's checks cannot express it. An empty schema may belong to a field within an alternative,
/// or may itself be an alternative that `allOf`, `anyOf` or `oneOf` lists; such an alternative matches every value.
pub(super) fn simplify(schema: &mut Value) {
    let Value::Object(node) = schema else { return };
    alternatives(node);
    let properties = node.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flatten().for_each(|(_, field)| simplify(field));
    for key in ["items", "additionalProperties"] {
        node.get_mut(key).into_iter().for_each(simplify);
    }
}

fn alternatives(node: &mut Map<String, Value>) {
    if let Some(not) = node.get_mut("not") {
        branch(not);
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        let Some(branches) = node.get_mut(key).and_then(Value::as_array_mut) else { continue };
        branches.iter_mut().for_each(branch);
        let others: Vec<Value> = branches.iter().filter(|branch| !says_nothing(branch)).cloned().collect();
        match (key, branches.len() - others.len()) {
            (_, 0) => {}
            ("allOf", _) if !others.is_empty() => *branches = others,
            ("oneOf", 1) if !others.is_empty() && !node.contains_key("not") => {
                // One branch matches every value, so that no other one may.
                node.remove(key);
                node.insert("not".to_owned(), json!({ "anyOf": others }));
            }
            // Two of them match every value, so that none is valid.
            ("oneOf", matching) if matching > 1 || !others.is_empty() => {}
            _ => drop(node.remove(key)),
        }
    }
}

fn branch(schema: &mut Value) {
    let Value::Object(node) = schema else { return };
    alternatives(node);
    if let Some(properties) = node.get_mut("properties").and_then(Value::as_object_mut) {
        properties.values_mut().for_each(branch);
        properties.retain(|_, field| !says_nothing(field));
        if properties.is_empty() {
            node.remove("properties");
        }
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = node.get_mut(key) {
            branch(inner);
            if says_nothing(inner) {
                node.remove(key);
            }
        }
    }
}

fn says_nothing(schema: &Value) -> bool {
    schema.as_object().is_some_and(Map::is_empty)
}

/// Returns true if the API server refuses the schema `node` because the schema has no type. The API server accepts a
/// schema without a type in two cases: the schema has `x-kubernetes-int-or-string`, or the schema preserves unknown
/// fields and contains no alternative (`allOf`, `anyOf`, `oneOf`, `not`) with a type.
pub(super) fn is_untyped(node: &Map<String, Value>) -> bool {
    let is_true = |key: &str| node.get(key).is_some_and(|value| *value == true);
    let is_typed = |branch: &Value| branch.get("type").is_some();
    let branches = ["allOf", "anyOf", "oneOf"].iter().filter_map(|key| node.get(*key)?.as_array()).flatten();
    let has_typed_branch = branches.chain(node.get("not")).any(is_typed);
    let is_exempt = node.contains_key("type") || is_true("x-kubernetes-int-or-string");
    !is_exempt && (!is_true(PRESERVE) || has_typed_branch)
}

/// Replaces each untyped schema within a schema with a schema that accepts any JSON.
pub(super) fn open_untyped(schema: &mut Value) {
    let Value::Object(node) = schema else { return };
    if is_untyped(node) {
        node.retain(|key, _| ["default", "description", "nullable"].contains(&key.as_str()));
        node.insert(PRESERVE.to_owned(), true.into());
        return;
    }
    let properties = node.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flatten().for_each(|(_, field)| open_untyped(field));
    for key in ["items", "additionalProperties"] {
        node.get_mut(key).into_iter().for_each(open_untyped);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_that_say_nothing_are_left_out() {
        let required = |name: &str| json!({"required": [name]});
        for (before, after) in [
            (json!({"anyOf": [required("a"), {}]}), json!({})),
            (json!({"anyOf": [required("a"), required("b")]}), json!({"anyOf": [required("a"), required("b")]})),
            (json!({"allOf": [required("a"), {}]}), json!({"allOf": [required("a")]})),
            (json!({"allOf": [{}]}), json!({})),
            (json!({"oneOf": [required("a"), {}]}), json!({"not": {"anyOf": [required("a")]}})),
            (json!({"oneOf": [{}]}), json!({})),
            (json!({"oneOf": [{}, {}]}), json!({"oneOf": [{}, {}]})),
            (json!({"not": {"properties": {"a": {}}, "required": ["a"]}}), json!({"not": required("a")})),
            (
                json!({"properties": {"a": {"items": {
                    "oneOf": [{"properties": {"b": {}}, "required": ["b"]}, {"properties": {"c": {"items": {}}}, "required": ["c"]}],
                }}}}),
                json!({"properties": {"a": {"items": {"oneOf": [required("b"), required("c")]}}}}),
            ),
            (
                json!({"properties": {"anyOf": {"type": "string"}}}),
                json!({"properties": {"anyOf": {"type": "string"}}}),
            ),
            // Outside of alternatives an empty schema has a meaning of its own.
            (json!({"properties": {"a": {}}}), json!({"properties": {"a": {}}})),
        ] {
            let mut schema = before.clone();
            simplify(&mut schema);
            assert_eq!(schema, after, "{before}");
        }
    }

    #[test]
    fn schemas_without_a_type_become_any_json() {
        let either =
            json!({"oneOf": [{"type": "string"}, {"type": "array"}], "items": {"type": "string"}, "description": "d"});
        let mut schema = json!({"type": "object", "additionalProperties": {"type": "array", "items": either}});
        open_untyped(&mut schema);
        let any = json!({"description": "d", "x-kubernetes-preserve-unknown-fields": true});
        assert_eq!(schema, json!({"type": "object", "additionalProperties": {"type": "array", "items": any}}));
        for kept in [
            json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]}),
            json!({"x-kubernetes-preserve-unknown-fields": true, "oneOf": [{"required": ["a"]}]}),
            json!({"type": "string"}),
        ] {
            let mut schema = kept.clone();
            open_untyped(&mut schema);
            assert_eq!(schema, kept);
        }
    }
}
