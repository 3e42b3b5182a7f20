//! Compares the two schemas that schemars generates for a type: the schema of the values that the type serializes,
//! and the schema of the values that it deserializes.
//!
//! A CRD contains the schema for deserialization. But the operator also writes objects, and the API server prunes
//! fields that are not in the CRD's schema, and refuses an object without a required field.

use crate::finding::Lint;
use crate::schema::finding::Findings;
use crate::schema::marks::{ONE_SIDED, rust_type};
use crate::schema::path::{FieldPath, child, children, counterpart};
use serde_json::{Map, Value};

pub(crate) static LINTS: &[&Lint] = &[&NEVER_READ, &NOT_ALWAYS_WRITTEN, &READ_OTHERWISE];

pub(crate) static NEVER_READ: Lint = Lint::error(
    "OP118",
    "a field that the type serializes but does not deserialize",
    "The schema describes what the type reads, and the server drops every other field, so the value that the operator \
     writes is lost.",
    "#[serde(rename(serialize = \"maxSize\", deserialize = \"max\"))]\nmax: i32,\n#[serde(skip_deserializing)]\nphase: String,",
    "#[serde(rename = \"maxSize\", alias = \"max\")]\nmax: i32,\nphase: String,",
);

pub(crate) static NOT_ALWAYS_WRITTEN: Lint = Lint::error(
    "OP119",
    "a required field that the type does not always serialize",
    "The server refuses an object that the operator writes without the field: `Required value`.",
    "#[serde(skip_serializing_if = \"Vec::is_empty\")]\nhosts: Vec<String>,",
    "#[serde(default, skip_serializing_if = \"Vec::is_empty\")]\nhosts: Vec<String>,",
);

pub(crate) static READ_OTHERWISE: Lint = Lint::error(
    "OP120",
    "a value that the type serializes but does not deserialize",
    "The server refuses the value that the operator writes: `Unsupported value`, or `must be of type`.",
    "enum Phase {\n    #[serde(rename(serialize = \"ready\", deserialize = \"Ready\"))]\n    Ready,\n}",
    "enum Phase {\n    #[serde(rename = \"ready\", alias = \"Ready\")]\n    Ready,\n}",
);

/// Reports fields that the type serializes and the API server would prune or refuse. `read` and `written` are the
/// structural schemas of the values that the type deserializes and serializes.
pub(super) fn compare(read: &Value, written: &Value, path: &FieldPath, findings: &mut Findings) {
    if read.get("x-kubernetes-int-or-string").is_some() {
        return;
    }
    if let (Some(reads), Some(writes)) = (text(read, "type"), text(written, "type"))
        && reads != writes
        && (reads, writes) != ("number", "integer")
    {
        let reason = format!("is read as {reads} and written as {writes}, which the API server would refuse");
        let hint = "use the same form for reading and writing: `#[serde(with = \"..\")]`, or `from` and `into` with \
             the same type";
        return findings.add(&READ_OTHERWISE, path, rust_type(read), reason, hint);
    }
    values(read, written, path, findings);
    let (ours, theirs) = (fields(read), fields(written));
    unread(read, (&ours, &theirs), path, findings);
    left_out(read, written, path, findings);
    for (step, below) in children(read) {
        if let Some(other) = child(written, step) {
            compare(below, other, &path.step(step), findings);
        }
    }
    for key in ["oneOf", "anyOf"] {
        let list = |schema: &Value| schema.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        let (branches, others) = (list(read), list(written));
        for (index, branch) in branches.iter().enumerate() {
            if let Some(other) = counterpart(&branches, index, &others) {
                left_out(branch, other, path, findings);
            }
        }
    }
}

fn text<'a>(schema: &'a Value, key: &str) -> Option<&'a str> {
    schema.get(key).and_then(Value::as_str)
}

fn fields(schema: &Value) -> Map<String, Value> {
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

fn strings(schema: &Value, key: &str) -> Vec<String> {
    let all = schema.get(key).and_then(Value::as_array).into_iter().flatten();
    all.filter_map(|value| value.as_str().map(str::to_owned)).collect()
}

/// Reports the values of an enum that the type serializes but does not deserialize.
fn values(read: &Value, written: &Value, path: &FieldPath, findings: &mut Findings) {
    let known = strings(read, "enum");
    let unknown: Vec<String> = strings(written, "enum").into_iter().filter(|value| !known.contains(value)).collect();
    if !known.is_empty() && !unknown.is_empty() {
        let reason = format!("writes `{}`, and reads {} only", unknown.join("`, `"), quote_names(&known));
        let hint = "#[serde(rename = \"..\")] on the variant, for both ways; an older name is read with `alias`";
        findings.add(&READ_OTHERWISE, path, rust_type(read), reason, hint);
    }
}

fn quote_names(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Reports the fields that the type serializes but does not deserialize. `both` contains the fields of `read`, the
/// schema for deserialization, and then the fields of the schema for serialization.
fn unread(read: &Value, both: (&Map<String, Value>, &Map<String, Value>), path: &FieldPath, findings: &mut Findings) {
    let (ours, theirs) = both;
    let open = read.get("additionalProperties").is_some() || read.get("x-kubernetes-preserve-unknown-fields").is_some();
    if open {
        return;
    }
    let both_sided = |schema: &Value| schema.get(ONE_SIDED).is_none();
    let unwritten: Vec<_> =
        ours.iter().filter(|(name, schema)| !theirs.contains_key(*name) && both_sided(schema)).collect();
    for (name, schema) in theirs.iter().filter(|(name, _)| !ours.contains_key(*name)) {
        let alike = |(_, other): &&(&String, &Value)| both_sided(schema) && other.get("type") == schema.get("type");
        let mut names = unwritten.iter().filter(alike);
        let (path, reason, hint) = match (names.next(), names.next()) {
            (Some((known, _)), None) => (
                path.field(known),
                format!("is written as `{name}`, and the API server drops what the schema does not have"),
                "#[serde(rename = \"..\")], for both ways",
            ),
            _ => (
                path.field(name),
                "is written and not read, and the API server drops what the schema does not have".to_owned(),
                "remove `skip_deserializing` and use the same name for reading and writing, or add #[serde(skip)]",
            ),
        };
        findings.add(&NEVER_READ, &path, rust_type(schema), reason, hint);
    }
}

/// Reports the fields that `read`, the schema for deserialization, requires but that the type does not always
/// serialize.
fn left_out(read: &Value, written: &Value, path: &FieldPath, findings: &mut Findings) {
    let always = strings(written, "required");
    let theirs = fields(written);
    for name in strings(read, "required").into_iter().filter(|name| !always.contains(name)) {
        let field = fields(read).get(&name).cloned().unwrap_or_default();
        if field.get("default").is_some() {
            continue;
        }
        // Such a field is written under another name, and `unread` reports it.
        if !theirs.contains_key(&name) && field.get(ONE_SIDED).is_none() && read.get("properties").is_some() {
            continue;
        }
        findings.add(
            &NOT_ALWAYS_WRITTEN,
            &path.field(&name),
            rust_type(&field),
            "is required and not always written, and the API server refuses an object without it",
            "add #[serde(default)] next to `skip_serializing_if`; or remove `Option` if the field is \
             `#[schemars(required)]`",
        );
    }
}
