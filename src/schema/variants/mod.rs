//! Converts the schemas of enums to structural schemas. schemars describes Rust's enums with `oneOf` and `anyOf`. A
//! structural schema allows these keywords only beside a complete description of the value, and only to restrict
//! the combinations of fields (Kubernetes documentation, "Specifying a structural schema":
//! <https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/>).

mod branch;
mod merge_objects;
mod number_or_text;
mod unshared_defaults;

use super::extensions::PRESERVE;
use super::free_form::is_anything;
use super::marks::{TYPE, VARIANT, rust_type};
use super::path::{self, FieldPath};
use super::{finding::Findings, numbers};
use crate::finding::Lint;
use crate::schema::check::MAP_BESIDE_FIELDS;
use branch::{bare_schema, values};
use merge_objects::{RESTRICTIONS, objects};
use number_or_text::number_or_text;
use serde_json::{Map, Value, json};

pub(crate) static LINTS: &[&Lint] = &[&MIXED_TYPES, &MIXED_ENUM, &merge_objects::UNLIKE_VARIANTS];

pub(crate) static MIXED_TYPES: Lint = Lint::error(
    "OP103",
    "a field with several JSON types",
    "A structural schema has one type per field; the only allowed combination is integer or string. The server \
     reports `must be empty to be structural`.",
    "#[serde(untagged)]\nenum Size { Number(i32), Detailed { min: i32, max: i32 } }",
    "struct Size { exact: Option<i32>, min: Option<i32>, max: Option<i32> }\n// a number or a string: IntOrString",
);

pub(crate) static MIXED_ENUM: Lint = Lint::error(
    "OP104",
    "an enum that mixes variants with and without data",
    "serde writes a variant without data as a string and the others as objects, but a CRD allows only one type per \
     field.",
    "enum Backup { Off, Daily { hour: u8 } }",
    "enum Backup { Off {}, Daily { hour: u8 } }",
);

/// Moves types and fields from the alternatives of `allOf`, `oneOf` and `anyOf` to the schema that contains these
/// alternatives, innermost schemas first.
pub(super) fn resolve(node: &mut Value, path: &FieldPath, findings: &mut Findings) {
    flattened_options(node);
    path::for_each_child(node, path, &mut |child, path| resolve(child, path, findings));
    if node.get("x-kubernetes-int-or-string").is_some() {
        return;
    }
    union_of_types(node, path, findings);
    for key in ["allOf", "oneOf", "anyOf"] {
        let Some(branches) = node.as_object_mut().and_then(|map| map.remove(key)) else { continue };
        let Value::Array(branches) = branches else { continue };
        hoist(node, key, branches, path, findings);
    }
    remove_additional_properties(node, path, findings);
}

/// Adds the type `object` to flattened optional enums: without a type, such an enum looks like any JSON value.
fn flattened_options(node: &mut Value) {
    if node.get("type") != Some(&json!("object")) {
        return;
    }
    let parts = node.get_mut("allOf").and_then(Value::as_array_mut).into_iter().flatten();
    for part in parts.filter_map(Value::as_object_mut) {
        let alternatives = part.get("anyOf").and_then(Value::as_array).into_iter().flatten();
        if alternatives.map(type_of).any(|name| name == "anything") {
            part.entry("type").or_insert("object".into());
        }
    }
}

/// Replaces a list of types: `type: [string, integer]` becomes `x-kubernetes-int-or-string`. Any other list of types is
/// reported.
fn union_of_types(node: &mut Value, path: &FieldPath, findings: &mut Findings) {
    let Some(map) = node.as_object_mut() else { return };
    let Some(Value::Array(types)) = map.get("type") else { return };
    let types: Vec<&str> = types.iter().filter_map(Value::as_str).collect();
    if int_or_string(&types) {
        numbers::add_integer_bounds(map);
        map.remove("type");
        map.insert("x-kubernetes-int-or-string".to_owned(), true.into());
    } else {
        let reason = format!("may be {}, but a CRD allows only one type per field", types.join(" or "));
        findings.add(&MIXED_TYPES, path, rust_type(node), reason, SEVERAL_TYPES);
    }
}

const SEVERAL_TYPES: &str = "use a struct with one optional field for each form; `IntOrString` for a number or a \
     string; or any JSON with\n#[schemars(extend(\"x-kubernetes-preserve-unknown-fields\" = true))] on a \
     `serde_json::Value`";

fn int_or_string(types: &[&str]) -> bool {
    types.len() == 2 && types.contains(&"string") && types.contains(&"integer")
}

fn hoist(node: &mut Value, key: &str, branches: Vec<Value>, path: &FieldPath, findings: &mut Findings) {
    let mut types: Vec<String> = branches.iter().map(type_of).collect();
    types.sort();
    types.dedup();
    let types: Vec<&str> = types.iter().map(String::as_str).collect();
    let Some(map) = node.as_object_mut() else { return };
    let only_values = |branch: &Value| branch.get("enum").is_some() && branch.get("properties").is_none();
    let fields = map.contains_key("properties") || map.get("type") == Some(&json!("object"));
    if fields && branches.iter().any(|branch| type_of(branch) == "anything" && branch.get(VARIANT).is_some()) {
        map.insert(PRESERVE.to_owned(), true.into());
    } else if types.contains(&"anything") && !fields {
        // Any JSON includes all the other alternatives.
        map.retain(|key, _| ["description", "default", "nullable", TYPE].contains(&key.as_str()));
        return;
    }
    match types.as_slice() {
        ["anything"] => {}
        // The branches come from a flattened `Option`, so that none of its fields is required.
        ["anything", "object"] => {
            let mut fields: Vec<Value> = branches.into_iter().filter(|branch| type_of(branch) == "object").collect();
            for branch in fields.iter_mut().filter_map(Value::as_object_mut) {
                branch.retain(|word, _| !RESTRICTIONS.contains(&word.as_str()));
            }
            objects(node, key, fields, path, findings);
            if let Some(map) = node.as_object_mut() {
                map.remove(key);
            }
        }
        ["integer", "number"] => drop(map.insert("type".to_owned(), "number".into())),
        ["array"] if !same_items(&branches) => {
            let reason = "may be lists of several types, but a CRD allows only one type for the items of a list";
            findings.add(&MIXED_TYPES, path, rust_type(node), reason, SEVERAL_TYPES);
        }
        ["value"] => drop(map.insert(key.to_owned(), Value::Array(branches))),
        [only] if *only != "object" && branches.iter().all(only_values) => enumeration(map, only, &branches),
        [only] if *only != "object" && !branches.is_empty() => one_type(map, only, branches),
        ["object"] | ["object", "value"] => objects(node, key, branches, path, findings),
        types if int_or_string(types) => number_or_text(node, &branches, path, findings),
        ["object", "string"] if branches.iter().any(only_values) => {
            let units: Vec<String> = branches
                .iter()
                .filter(|branch| only_values(branch))
                .flat_map(values)
                .map(|value| value.to_string())
                .collect();
            let reason = format!(
                "mixes variants with data and variants without data ({}), but a CRD allows only one type per field",
                units.join(", ")
            );
            findings.add(&MIXED_ENUM, path, rust_type(node), reason, "give the variants without data a body: `Off {}`");
        }
        types => {
            let reason = format!("may be {}, but a CRD allows only one type per field", types.join(" or "));
            findings.add(&MIXED_TYPES, path, rust_type(node), reason, SEVERAL_TYPES);
        }
    }
}

fn same_items(branches: &[Value]) -> bool {
    let mut items = branches.iter().map(|branch| branch.get("items").map(bare_schema));
    let first = items.next();
    items.all(|items| Some(items) == first)
}

/// Returns the name of a branch's type, such as `object` or `anything`. The name is `value` for a branch without a
/// type, which only restricts the schema around the branch.
fn type_of(branch: &Value) -> String {
    match branch.get("type") {
        Some(Value::String(name)) => name.clone(),
        _ if branch.get("properties").is_some_and(|properties| !all_untyped(properties)) => "object".to_owned(),
        _ if branch.get("x-kubernetes-int-or-string").is_some() => "integer or string".to_owned(),
        _ if branch
            .as_object()
            .is_some_and(|map| map.keys().all(|key| [TYPE, VARIANT, "description"].contains(&key.as_str()))) =>
        {
            "anything".to_owned()
        }
        _ => "value".to_owned(),
    }
}

fn all_untyped(properties: &Value) -> bool {
    properties.as_object().is_some_and(|properties| properties.values().all(|schema| schema.get("type").is_none()))
}

/// Merges variants without data into one `enum`. The descriptions of the variants, for which a CRD has no keyword,
/// become a list in the description of the field.
fn enumeration(map: &mut Map<String, Value>, name: &str, branches: &[Value]) {
    let documented = branches.iter().filter_map(|branch| {
        let text: Vec<&str> = branch.get("description")?.as_str()?.split_whitespace().collect();
        let [Value::String(value)] = &values(branch)[..] else { return None };
        Some(format!("- `{value}`: {}", text.join(" ")))
    });
    let list = documented.collect::<Vec<_>>().join("\n");
    if !list.is_empty() {
        let above = map.get("description").and_then(Value::as_str).map(|text| format!("{}\n\n", text.trim_end()));
        map.insert("description".to_owned(), format!("{}{list}", above.unwrap_or_default()).into());
    }
    let mut all: Vec<Value> = Vec::new();
    for value in branches.iter().flat_map(values) {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    map.insert("type".to_owned(), name.into());
    map.insert("enum".to_owned(), all.into());
}

/// Merges branches of the type `name` into `map`, the schema around the branches. `map` gets the type and, except for
/// arrays, an `anyOf` with the other restrictions.
fn one_type(map: &mut Map<String, Value>, name: &str, mut branches: Vec<Value>) {
    if branches.len() == 1 {
        if let Some(Value::Object(only)) = branches.pop() {
            for (key, value) in only {
                map.entry(key).or_insert(value);
            }
        }
        return;
    }
    map.insert("type".to_owned(), name.into());
    for branch in branches.iter_mut().filter_map(Value::as_object_mut) {
        numbers::add_integer_bounds(branch);
        for key in ["type", "description", TYPE, VARIANT] {
            branch.remove(key);
        }
    }
    // The items of an array must be described outside of the branches, which works if all branches have the same items.
    if name == "array" {
        if let Some(items) = branches.first().and_then(|branch| branch.get("items")).cloned() {
            map.entry("items").or_insert(items);
        }
    } else if !branches.iter().any(|branch| branch.as_object().is_some_and(Map::is_empty)) {
        map.insert("anyOf".to_owned(), branches.into());
    }
}

/// Removes `additionalProperties` next to `properties`, because a structural schema cannot have both. If
/// `additionalProperties` is `false`, it needs no replacement, because the API server prunes unknown fields. If
/// `additionalProperties` is a schema that allows any value, sets `x-kubernetes-preserve-unknown-fields` instead. If
/// `additionalProperties` is any other schema, reports a finding.
fn remove_additional_properties(node: &mut Value, path: &FieldPath, findings: &mut Findings) {
    let rust = rust_type(node);
    let Some(map) = node.as_object_mut() else { return };
    let has_fields = map.get("properties").and_then(Value::as_object).is_some_and(|fields| !fields.is_empty());
    match map.get("additionalProperties") {
        Some(Value::Bool(false)) => drop(map.remove("additionalProperties")),
        // Below the root, a map of anything without fields is a map.
        Some(others) if is_anything(others) && (has_fields || path.is_root()) => {
            map.remove("additionalProperties");
            map.insert(PRESERVE.to_owned(), true.into());
        }
        Some(_) if has_fields => {
            let reason = "flattens a map of typed values next to other fields, which a CRD cannot describe";
            let hint = "use a separate field for the map, without `#[serde(flatten)]`; or `BTreeMap<String, \
                 serde_json::Value>`";
            map.remove("additionalProperties");
            findings.add(&MAP_BESIDE_FIELDS, path, rust, reason, hint);
        }
        _ => {}
    }
}
