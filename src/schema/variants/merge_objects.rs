//! Merges alternatives that are objects into one list of fields; each alternative keeps only its restrictions.

use crate::finding::Lint;
use crate::schema::check::MAP_BESIDE_FIELDS;
use crate::schema::extensions::PRESERVE;
use crate::schema::finding::Findings;
use crate::schema::free_form::is_anything;
use crate::schema::marks::{TYPE, rust_type};
use crate::schema::path::FieldPath;
use crate::schema::simplify::DROPPED_KEYWORD;
use crate::schema::variants::branch::{bare_schema, values};
use crate::schema::variants::unshared_defaults::remove_unshared_defaults;
use serde_json::{Map, Value, json};

pub(crate) static UNLIKE_VARIANTS: Lint = Lint::error(
    "OP105",
    "enum variants that define the same field differently",
    "In a CRD, all variants share one list of fields, so a field of several variants needs the same schema in each of \
     them.",
    "#[serde(tag = \"type\")]\nenum Store { Disk { size: String }, Memory { size: i32 } }",
    "#[serde(tag = \"type\")]\nenum Store { Disk { size: String }, Memory { megabytes: i32 } }",
);

/// The keywords that stay as restrictions in an alternative of `oneOf` or `anyOf` when its fields move to the schema
/// around the alternatives.
pub(super) const RESTRICTIONS: [&str; 5] = ["required", "oneOf", "anyOf", "minProperties", "maxProperties"];

/// Merges variants with data: moves their fields to the schema around the branches, and keeps in each branch the
/// variant's tag and required fields.
pub(super) fn objects(node: &mut Value, key: &str, branches: Vec<Value>, path: &FieldPath, findings: &mut Findings) {
    let rust = rust_type(node);
    open(node, &branches, path, findings);
    let Some(map) = node.as_object_mut() else { return };
    map.insert("type".to_owned(), "object".into());
    let mut properties = fields(map);
    let mut branches: Vec<Map<String, Value>> = branches
        .into_iter()
        .filter_map(|branch| match branch {
            Value::Object(map) => Some(map),
            _ => None,
        })
        .collect();
    if key != "allOf" {
        remove_unshared_defaults(branches.iter_mut().collect());
    }
    let mut remaining: Vec<Map<String, Value>> = Vec::new();
    for branch in &branches {
        let said = branch.iter().filter(|(word, _)| RESTRICTIONS.contains(&word.as_str()));
        remaining.push(said.map(|(word, value)| (word.clone(), value.clone())).collect());
        if branch.contains_key("x-kubernetes-validations") {
            let reason =
                "has validation rules in one variant, which a CRD cannot limit to that variant; the rules are left out";
            findings.add(
                &DROPPED_KEYWORD,
                path,
                rust.clone(),
                reason,
                "put the rules on the struct that contains the enum as a field",
            );
        }
        let own = fields(branch);
        let only_one = own.len() == 1;
        for (name, mut schema) in own {
            // The documentation of a variant with a single field becomes that of the field.
            if let (true, "oneOf", Some(text), Some(map)) =
                (only_one, key, branch.get("description"), schema.as_object_mut())
            {
                map.insert("description".to_owned(), text.clone());
            }
            if let Err(reason) = add(&mut properties, &name, schema) {
                let hint = "rename one of the fields, or give both the same type and documentation";
                findings.add(&UNLIKE_VARIANTS, &path.field(&name), rust.clone(), reason, hint);
            }
        }
    }
    if key == "allOf" {
        return together(map, properties, remaining);
    }
    for (branch, left) in branches.iter().zip(&mut remaining) {
        let said = fields(branch).into_iter();
        let said =
            said.filter_map(|(name, schema)| Some((name.clone(), restriction(&schema, properties.get(&name)?)?)));
        let said: Map<String, Value> = said.collect();
        if !said.is_empty() {
            left.insert("properties".to_owned(), said.into());
        }
    }
    map.insert("properties".to_owned(), properties.into());
    match remaining.as_slice() {
        [only] => {
            for (word, value) in only.iter().filter(|(word, _)| *word != "properties") {
                map.entry(word.clone()).or_insert_with(|| value.clone());
            }
        }
        several if several.iter().any(Map::is_empty) => {}
        several => drop(map.insert(key.to_owned(), several.iter().cloned().map(Value::Object).collect())),
    }
}

fn fields(schema: &Map<String, Value>) -> Map<String, Value> {
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

/// Merges the parts of an `allOf` into the schema `map`. The `required` of `map` gets the required fields of all parts,
/// and the `allOf` of `map` gets the other keywords of each part.
fn together(map: &mut Map<String, Value>, properties: Map<String, Value>, parts: Vec<Map<String, Value>>) {
    map.insert("properties".to_owned(), properties.into());
    let mut choices = Vec::new();
    for mut part in parts {
        if let Some(Value::Array(names)) = part.remove("required") {
            let required = map.entry("required").or_insert_with(|| json!([]));
            if let Some(required) = required.as_array_mut() {
                let new: Vec<Value> = names.into_iter().filter(|name| !required.contains(name)).collect();
                required.extend(new);
            }
        }
        if !part.is_empty() {
            choices.push(Value::Object(part));
        }
    }
    if !choices.is_empty() {
        map.insert("allOf".to_owned(), choices.into());
    }
}

/// Returns the restrictions of a field in one enum variant that the field's merged schema (`outside`) lacks: the tag's
/// value, or the required subfields.
fn restriction(schema: &Value, outside: &Value) -> Option<Value> {
    if let Some([tag @ Value::String(_)]) = schema.get("enum").and_then(Value::as_array).map(Vec::as_slice) {
        return Some(json!({"enum": [tag]}));
    }
    let own = schema.get("required").filter(|own| Some(*own) != outside.get("required"))?;
    Some(json!({"required": own}))
}

/// Allows additional fields in the merged schema `node` if a variant allows additional fields. Reports a finding if a
/// variant is a map that `node` cannot describe together with the other variants.
fn open(node: &mut Value, branches: &[Value], path: &FieldPath, findings: &mut Findings) {
    let rust = rust_type(node);
    let named = |schema: &Value| schema.get("properties").and_then(Value::as_object).is_some_and(|all| !all.is_empty());
    let any_named = named(node) || branches.iter().any(named);
    let Some(map) = node.as_object_mut() else { return };
    for branch in branches {
        if branch.get(PRESERVE).is_some() {
            map.insert(PRESERVE.to_owned(), true.into());
        }
        let others = branch.get("additionalProperties").filter(|others| *others != &Value::Bool(false));
        let Some(others) = others else { continue };
        if is_anything(others) && any_named {
            map.insert(PRESERVE.to_owned(), true.into());
        } else if any_named
            || map.get("additionalProperties").is_some_and(|known| bare_schema(known) != bare_schema(others))
        {
            let reason =
                "has a variant that is a map of typed values, which a CRD cannot describe next to the other variants";
            let hint = "use a variant with a field for the map: `Labels { labels: BTreeMap<String, String> }`";
            return findings.add(&MAP_BESIDE_FIELDS, path, rust, reason, hint);
        } else {
            map.insert("additionalProperties".to_owned(), others.clone());
        }
    }
}

/// Adds the field `name` of a variant to `properties`, the merged fields. If another variant has already added the
/// field, merges both schemas of the field; fails if a merge is impossible.
fn add(properties: &mut Map<String, Value>, name: &str, schema: Value) -> Result<(), String> {
    let Some(present) = properties.get_mut(name) else {
        properties.insert(name.to_owned(), schema);
        return Ok(());
    };
    if bare_schema(present) == bare_schema(&schema) {
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
    Err("is described differently by several variants, but a CRD allows only one schema per field".to_owned())
}

/// Merges the object schema `other` into the object schema `present`. Only the fields that both schemas require stay
/// required. Returns false, and changes nothing, if a merge is impossible.
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
