//! Enums. Rust's become `oneOf` and `anyOf`; a structural schema allows these only beside a complete description of
//! the value, and only to say which fields go together
//! (<https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema>).

use super::{FieldPath, Findings, ONE_SIDED, TYPE, free_form::is_anything, path, rust_type};
use serde_json::{Map, Value, json};

/// Hoists what branches describe into the schema they belong to, from the leaves up.
pub(super) fn resolve(node: &mut Value, path: &FieldPath, findings: &mut Findings) {
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
    closed(node, path, findings);
}

/// `type: [string, integer]`.
fn union_of_types(node: &mut Value, path: &FieldPath, findings: &mut Findings) {
    let Some(map) = node.as_object_mut() else { return };
    let Some(Value::Array(types)) = map.get("type") else { return };
    let types: Vec<&str> = types.iter().filter_map(Value::as_str).collect();
    if int_or_string(&types) {
        map.remove("type");
        map.insert("x-kubernetes-int-or-string".to_owned(), true.into());
    } else {
        let reason = format!("may be {}, and a CRD knows one type for a field", types.join(" or "));
        findings.problem("OP103", path, rust_type(node), reason, SEVERAL_TYPES);
    }
}

const SEVERAL_TYPES: &str = "a struct with one optional field for each form; `IntOrString` for a number or a string; or any JSON with\n\
    #[schemars(extend(\"x-kubernetes-preserve-unknown-fields\" = true))] on a `serde_json::Value`";

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
    match types.as_slice() {
        ["value"] => drop(map.insert(key.to_owned(), Value::Array(branches))),
        [only] if *only != "object" && branches.iter().all(only_values) => enumeration(map, only, &branches),
        [only] if *only != "object" && !branches.is_empty() => one_type(map, only, branches),
        ["object"] | ["object", "value"] => objects(node, key, branches, path, findings),
        types if int_or_string(types) => {
            map.insert("x-kubernetes-int-or-string".to_owned(), true.into());
        }
        ["object", "string"] if branches.iter().any(only_values) => {
            let units: Vec<String> = branches
                .iter()
                .filter(|branch| only_values(branch))
                .flat_map(values)
                .map(|value| value.to_string())
                .collect();
            let reason = format!(
                "mixes variants with data and without ({}), and a CRD knows one type for a field",
                units.join(", ")
            );
            findings.problem("OP104", path, rust_type(node), reason, "give the variants without data a body: `Off {}`");
        }
        types => {
            let reason = format!("may be {}, and a CRD knows one type for a field", types.join(" or "));
            findings.problem("OP103", path, rust_type(node), reason, SEVERAL_TYPES);
        }
    }
}

/// `value` for a branch that only restricts what stands outside.
fn type_of(branch: &Value) -> String {
    match branch.get("type") {
        Some(Value::String(name)) => name.clone(),
        _ if branch.get("properties").is_some_and(|properties| !all_untyped(properties)) => "object".to_owned(),
        _ if branch.get("x-kubernetes-int-or-string").is_some() => "integer or string".to_owned(),
        _ if branch.as_object().is_some_and(|map| map.keys().all(|key| key == TYPE || key == "description")) => {
            "anything".to_owned()
        }
        _ => "value".to_owned(),
    }
}

fn all_untyped(properties: &Value) -> bool {
    properties.as_object().is_some_and(|properties| properties.values().all(|schema| schema.get("type").is_none()))
}

fn values(branch: &Value) -> Vec<Value> {
    branch.get("enum").and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Variants without data, some of them documented.
fn enumeration(map: &mut Map<String, Value>, name: &str, branches: &[Value]) {
    let mut all: Vec<Value> = Vec::new();
    for value in branches.iter().flat_map(values) {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    map.insert("type".to_owned(), name.into());
    map.insert("enum".to_owned(), all.into());
}

/// Alternatives of one scalar type: the type moves out, what restricts it stays.
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
        for key in ["type", "description", "title", "format", TYPE] {
            branch.remove(key);
        }
    }
    // An array's items have to be described outside; alike they can be.
    if name == "array" {
        if let Some(items) = branches.first().and_then(|branch| branch.get("items")).cloned() {
            map.entry("items").or_insert(items);
        }
    } else if !branches.iter().any(|branch| branch.as_object().is_some_and(Map::is_empty)) {
        map.insert("anyOf".to_owned(), branches.into());
    }
}

/// Variants with data: their fields move out, each branch keeps which of them it requires and which tag it has.
fn objects(node: &mut Value, key: &str, branches: Vec<Value>, path: &FieldPath, findings: &mut Findings) {
    let rust = rust_type(node);
    let Some(map) = node.as_object_mut() else { return };
    map.insert("type".to_owned(), "object".into());
    let mut properties = match map.remove("properties") {
        Some(Value::Object(properties)) => properties,
        _ => Map::new(),
    };
    let mut remaining: Vec<Value> = Vec::new();
    let mut required: Vec<Value> = Vec::new();
    for branch in branches {
        let Value::Object(branch) = branch else { continue };
        let mut left = Map::new();
        if let Some(names) = branch.get("required") {
            left.insert("required".to_owned(), names.clone());
            required.extend(names.as_array().cloned().unwrap_or_default());
        }
        let described: Option<&Value> = branch.get("description");
        let own = branch.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        let single = own.len() == 1;
        let mut tags = Map::new();
        for (name, mut schema) in own {
            // The documentation of a variant is that of the only field it has.
            if let (true, "oneOf", Some(described), Some(schema)) = (single, key, described, schema.as_object_mut()) {
                schema.insert("description".to_owned(), described.clone());
            }
            if key != "allOf"
                && let Some(tag) = tag(&schema)
            {
                tags.insert(name.clone(), json!({"enum": [tag]}));
            }
            if let Err(reason) = add(&mut properties, &name, schema) {
                let mend = "rename one of the fields, or give both the same type and documentation";
                findings.problem("OP105", &path.field(&name), rust.clone(), reason, mend);
            }
        }
        if !tags.is_empty() {
            left.insert("properties".to_owned(), tags.into());
        }
        remaining.push(Value::Object(left));
    }
    map.insert("properties".to_owned(), properties.into());
    if key == "allOf" {
        let names = map.entry("required").or_insert_with(|| json!([]));
        if let Some(names) = names.as_array_mut() {
            let new: Vec<Value> = required.into_iter().filter(|name| !names.contains(name)).collect();
            names.extend(new);
        }
    } else if remaining.len() > 1 && !remaining.iter().any(|branch| branch.as_object().is_some_and(Map::is_empty)) {
        map.insert(key.to_owned(), remaining.into());
    } else if let [Value::Object(only)] = remaining.as_slice()
        && let Some(names) = only.get("required")
    {
        map.entry("required").or_insert_with(|| names.clone());
    }
}

/// The one string that a field must have.
fn tag(schema: &Value) -> Option<Value> {
    match schema.get("enum")?.as_array()?.as_slice() {
        [tag @ Value::String(_)] => Some(tag.clone()),
        _ => None,
    }
}

/// Adds a field that another variant may have too.
fn add(properties: &mut Map<String, Value>, name: &str, schema: Value) -> Result<(), String> {
    let Some(present) = properties.get_mut(name) else {
        properties.insert(name.to_owned(), schema);
        return Ok(());
    };
    if bare(present) == bare(&schema) {
        return Ok(());
    }
    let strings = |schema: &Value| schema.get("type") == Some(&json!("string")) && schema.get("enum").is_some();
    if strings(present) && strings(&schema) {
        let mut all = values(present);
        for value in values(&schema) {
            if !all.contains(&value) {
                all.push(value);
            }
        }
        if let Some(map) = present.as_object_mut() {
            map.insert("enum".to_owned(), all.into());
            map.remove("description");
        }
        return Ok(());
    }
    if unite(present, &schema) {
        return Ok(());
    }
    Err("is described differently by several variants, and a CRD knows one description for a field".to_owned())
}

/// Makes one object of two, which both have all fields that they require; whether that was possible.
fn unite(present: &mut Value, other: &Value) -> bool {
    let plain = |schema: &Value| {
        let words = ["type", "properties", "required", "description", TYPE];
        schema.get("type") == Some(&json!("object"))
            && schema.as_object().is_some_and(|map| map.keys().all(|key| words.contains(&key.as_str())))
    };
    if !plain(present) || !plain(other) {
        return false;
    }
    let mut united = present.clone();
    let Some(map) = united.as_object_mut() else { return false };
    for key in ["description", TYPE] {
        map.remove(key);
    }
    let theirs = other.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    if let Some(Value::Array(required)) = map.get_mut("required") {
        required.retain(|name| theirs.contains(name));
        if required.is_empty() {
            map.remove("required");
        }
    }
    let properties = map.entry("properties").or_insert_with(|| json!({}));
    let Some(properties) = properties.as_object_mut() else { return false };
    for (name, schema) in other.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if add(properties, name, schema.clone()).is_err() {
            return false;
        }
    }
    *present = united;
    true
}

/// A schema without documentation.
fn bare(schema: &Value) -> Value {
    let mut schema = schema.clone();
    strip(&mut schema);
    schema
}

fn strip(node: &mut Value) {
    if let Some(map) = node.as_object_mut() {
        for key in ["description", "title", TYPE, ONE_SIDED] {
            map.remove(key);
        }
    }
    path::for_each_child(node, &FieldPath::root(), &mut |child, _| strip(child));
}

/// `additionalProperties` beside `properties`: pruning does what `false` says, and `true` is kept by another word.
fn closed(node: &mut Value, path: &FieldPath, findings: &mut Findings) {
    let rust = rust_type(node);
    let Some(map) = node.as_object_mut() else { return };
    let has_fields = map.get("properties").and_then(Value::as_object).is_some_and(|fields| !fields.is_empty());
    match map.get("additionalProperties") {
        Some(Value::Bool(false)) => drop(map.remove("additionalProperties")),
        Some(others) if has_fields => {
            if is_anything(others) {
                map.remove("additionalProperties");
                map.insert("x-kubernetes-preserve-unknown-fields".to_owned(), true.into());
            } else {
                let reason = "flattens a map of typed values beside fields, which a CRD cannot describe";
                let mend = "a field of its own for the map, without `#[serde(flatten)]`; or `BTreeMap<String, serde_json::Value>`";
                findings.problem("OP106", path, rust, reason, mend);
            }
        }
        _ => {}
    }
}
