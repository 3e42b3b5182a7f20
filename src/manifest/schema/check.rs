//! The rules for structural schemas, as the API server states them
//! (`k8s.io/apiextensions-apiserver` `pkg/apiserver/schema/validation.go`, `pkg/apis/apiextensions/validation`).

use super::{FieldPath, Findings, path::BRANCHES, rust_type};
use serde_json::Value;

const MEND: &str = "#[schemars(with = \"..\")] with a type that has a shape, or #[schemars(extend(\"type\" = \"..\"))]";

/// What only the schema outside of a branch may say.
const OUTSIDE: [&str; 7] = [
    "type",
    "title",
    "description",
    "default",
    "nullable",
    "additionalProperties",
    "x-kubernetes-preserve-unknown-fields",
];

/// Reports what the server would refuse.
pub(super) fn check(node: &Value, path: &FieldPath, findings: &mut Findings) {
    let rust = rust_type(node);
    let Some(map) = node.as_object() else {
        return findings.problem(
            "OP110",
            path,
            None,
            "allows no value at all",
            "remove the field, or `#[serde(skip)]` it",
        );
    };
    let says = |key: &str| node.get(key) == Some(&Value::Bool(true));
    let shapeless = says("x-kubernetes-int-or-string") || says("x-kubernetes-preserve-unknown-fields");
    let name = node.get("type").and_then(Value::as_str).unwrap_or_default();
    match name {
        "" if !shapeless || path.is_root() => findings.problem("OP111", path, rust.clone(), "has no type", MEND),
        "null" => findings.problem(
            "OP107",
            path,
            rust.clone(),
            "is a unit type, whose only value is null",
            "remove the field, or use a struct with a body: `struct Empty {}`",
        ),
        "" | "object" | "array" | "string" | "integer" | "number" | "boolean" => {}
        other => findings.problem("OP111", path, rust.clone(), format!("has the unknown type `{other}`"), MEND),
    }
    if path.is_root() && name != "object" {
        findings.problem(
            "OP112",
            path,
            rust.clone(),
            "is not an object",
            "derive CustomResource on a struct with named fields",
        );
    }
    for key in ["$ref", "patternProperties", "definitions", "dependencies", "id"] {
        if map.contains_key(key) {
            findings.problem("OP109", path, rust.clone(), format!("uses `{key}`, which a CRD does not know"), MEND);
        }
    }
    match node.get("items") {
        None if name == "array" => findings.problem("OP111", path, rust.clone(), "is an array of unknown items", MEND),
        Some(items) => check(items, &path.item(), findings),
        None => {}
    }
    let fields = node.get("properties").and_then(Value::as_object);
    if let Some(values) = node.get("additionalProperties") {
        if fields.is_some_and(|fields| !fields.is_empty()) {
            findings.problem(
                "OP106",
                path,
                rust.clone(),
                "has both fields and `additionalProperties`",
                "put the map into a field of its own",
            );
        } else if values != &Value::Bool(true) {
            check(values, &path.value(), findings);
        }
    }
    for (name, child) in fields.into_iter().flatten() {
        check(child, &path.field(name), findings);
    }
    for key in BRANCHES {
        for branch in node.get(key).and_then(Value::as_array).into_iter().flatten() {
            if !says("x-kubernetes-int-or-string") {
                check_branch(node, branch, key, path, findings);
            }
        }
    }
    if let Some(branch) = node.get("not") {
        check_branch(node, branch, "not", path, findings);
    }
}

fn check_branch(outside: &Value, branch: &Value, key: &str, path: &FieldPath, findings: &mut Findings) {
    for word in OUTSIDE {
        if branch.get(word).is_some() {
            let reason = format!("says `{word}` within `{key}`, where a CRD allows restrictions only");
            findings.problem(
                "OP113",
                path,
                rust_type(outside),
                reason,
                "describe the field outside of the alternatives",
            );
        }
    }
    for (name, child) in branch.get("properties").and_then(Value::as_object).into_iter().flatten() {
        match outside.get("properties").and_then(|fields| fields.get(name)) {
            Some(field) => check_branch(field, child, key, &path.field(name), findings),
            None => findings.problem(
                "OP113",
                &path.field(name),
                rust_type(outside),
                format!("is named within `{key}` only"),
                "describe the field outside of the alternatives too",
            ),
        }
    }
}
