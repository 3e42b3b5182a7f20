//! The rules for structural schemas, as the API server states them
//! (`k8s.io/apiextensions-apiserver` `pkg/apiserver/schema/validation.go`, `pkg/apis/apiextensions/validation`).
//! `testdata/manifest/refusals` holds each of them, with a schema that the server refuses and the code that opctl gives.

mod branches;
mod embedded;
mod keywords;
mod merging;

use crate::schema::extensions::{INT_OR_STRING, PRESERVE, is_true};
use crate::schema::marks::rust_type;
use crate::schema::path::{FieldPath, Step, children};
use crate::schema::problem::Findings;
use serde_json::Value;

const HINT: &str = "#[schemars(with = \"..\")] with a type that has a shape, or #[schemars(extend(\"type\" = \"..\"))]";

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
    let shapeless = is_true(node, INT_OR_STRING) || is_true(node, PRESERVE);
    let name = node.get("type").and_then(Value::as_str).unwrap_or_default();
    match name {
        "" if !shapeless || path.is_root() => findings.problem("OP111", path, rust.clone(), "has no type", HINT),
        "null" => findings.problem(
            "OP107",
            path,
            rust.clone(),
            "is a unit type, whose only value is null",
            "remove the field, or use a struct with a body: `struct Empty {}`",
        ),
        "" | "object" | "array" | "string" | "integer" | "number" | "boolean" => {}
        other => findings.problem("OP111", path, rust.clone(), format!("has the unknown type `{other}`"), HINT),
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
    if path.is_root() && map.contains_key("additionalProperties") {
        findings.problem(
            "OP112",
            path,
            rust.clone(),
            "is a map, and a CRD needs an object with fields at the root",
            "put the map into a field of its own",
        );
    }
    for key in ["$ref", "patternProperties", "definitions", "dependencies", "id"] {
        if map.contains_key(key) {
            findings.problem("OP109", path, rust.clone(), format!("uses `{key}`, which a CRD does not know"), HINT);
        }
    }
    match node.get("items") {
        None if name == "array" => findings.problem("OP111", path, rust.clone(), "is an array of unknown items", HINT),
        _ => {}
    }
    let fields = node.get("properties").and_then(Value::as_object);
    let has_fields = fields.is_some_and(|fields| !fields.is_empty());
    if has_fields && map.contains_key("additionalProperties") {
        findings.problem(
            "OP106",
            path,
            rust.clone(),
            "has both fields and `additionalProperties`",
            "put the map into a field of its own",
        );
    }
    for (step, child) in children(node) {
        if step != Step::Value || !(has_fields || child == &Value::Bool(true)) {
            check(child, &path.step(step), findings);
        }
    }
    keywords::check(node, path, findings);
    merging::check(node, path, findings);
    embedded::check(node, path, findings);
    branches::check(node, path, findings);
}
