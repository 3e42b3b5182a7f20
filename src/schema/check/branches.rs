//! Checks `allOf`, `anyOf`, `oneOf` and `not`, which may only restrict fields that the schema describes outside of
//! these keywords (`validateNestedValueValidation` and `validateStructuralCompleteness` of the API server).

use crate::finding::Lint;
use crate::schema::extensions::{INT_OR_STRING, PRESERVE};
use crate::schema::finding::Findings;
use crate::schema::marks::rust_type;
use crate::schema::path::{FieldPath, branches};
use serde_json::{Value, json};

pub(crate) static DESCRIBING_BRANCH: Lint = Lint::error(
    "OP113",
    "an `allOf`, `anyOf` or `oneOf` that defines a field instead of restricting it",
    "Within `allOf`, `anyOf` and `oneOf` a CRD allows restrictions only. The server reports `must be empty to be \
     structural`.",
    "#[schemars(extend(\"oneOf\" = [{\"properties\": {\"a\": {\"type\": \"string\"}}}]))]",
    "#[schemars(extend(\"oneOf\" = [{\"required\": [\"a\"]}, {\"required\": [\"b\"]}]))]",
);

const HINT: &str = "describe the field outside of `allOf`, `anyOf`, `oneOf` and `not`";

/// The keywords that are forbidden inside of a branch, such as an element of `oneOf`.
const OUTSIDE: [&str; 13] = [
    "type",
    "title",
    "description",
    "default",
    "nullable",
    "additionalProperties",
    PRESERVE,
    INT_OR_STRING,
    "x-kubernetes-embedded-resource",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
    "x-kubernetes-validations",
];

/// Reports keywords and fields in the branches of a schema (`allOf`, `anyOf`, `oneOf`, `not`) that the server refuses.
pub(super) fn check(node: &Value, path: &FieldPath, findings: &mut Findings) {
    let either = json!([{"type": "integer"}, {"type": "string"}]);
    for (key, index, branch) in branches(node) {
        // The server accepts types within branches in these two forms only.
        let whole = key == "anyOf" && node.get("anyOf") == Some(&either);
        let first = key == "allOf" && index == 0 && branch.get("anyOf") == Some(&either);
        if first {
            let mut rest = branch.clone();
            rest.as_object_mut().and_then(|map| map.remove("anyOf"));
            check_branch(node, &rest, key, path, findings);
        } else if !whole {
            check_branch(node, branch, key, path, findings);
        }
    }
}

fn check_branch(outside: &Value, branch: &Value, key: &str, path: &FieldPath, findings: &mut Findings) {
    for word in OUTSIDE.into_iter().filter(|word| branch.get(word).is_some_and(says_something)) {
        let reason = format!("uses `{word}` within `{key}`, where a CRD allows restrictions only");
        findings.add(&DESCRIBING_BRANCH, path, rust_type(outside), reason, HINT);
    }
    for (name, child) in branch.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let field = outside.get("properties").and_then(|fields| fields.get(name));
        match field {
            _ if name == "metadata" => {
                let reason = format!("is restricted within `{key}`, which a CRD does not allow for a field `metadata`");
                findings.add(
                    &DESCRIBING_BRANCH,
                    &path.field(name),
                    rust_type(outside),
                    reason,
                    "give the field another name",
                );
            }
            Some(field) => check_branch(field, child, key, &path.field(name), findings),
            None => report_unknown_field(outside, key, &path.field(name), findings),
        }
    }
    if let Some(child) = branch.get("items") {
        match outside.get("items") {
            Some(items) => check_branch(items, child, key, &path.item(), findings),
            None => report_unknown_field(outside, key, &path.item(), findings),
        }
    }
    for (inner, _, branch) in branches(branch) {
        check_branch(outside, branch, inner, path, findings);
    }
}

/// Returns false for values that the API server ignores, such as an empty list and `additionalProperties: false`.
fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => true,
    }
}

fn report_unknown_field(outside: &Value, key: &str, path: &FieldPath, findings: &mut Findings) {
    let reason = format!("appears only within `{key}`");
    findings.add(
        &DESCRIBING_BRANCH,
        path,
        rust_type(outside),
        reason,
        "also describe the field outside of `allOf`, `anyOf`, `oneOf` and `not`",
    );
}
