//! Checks schemas against the API server's rules for structural schemas (`k8s.io/apiextensions-apiserver`
//! `pkg/apiserver/schema/validation.go`, `pkg/apis/apiextensions/validation`). `testdata/manifest/refusals` contains,
//! for each rule, a schema that the server refuses and the code of opctl's finding.

mod branches;
mod embedded;
mod keywords;
mod merging;

use crate::finding::Lint;
use crate::schema::extensions::{INT_OR_STRING, PRESERVE, is_true};
use crate::schema::finding::Findings;
use crate::schema::marks::rust_type;
use crate::schema::path::{FieldPath, Step, children};
use crate::schema::root::NO_OBJECT;
use serde_json::Value;

pub(crate) static LINTS: &[&Lint] = &[
    &MAP_BESIDE_FIELDS,
    &UNIT_TYPE,
    &UNKNOWN_KEYWORD,
    &NO_VALUE,
    &NO_TYPE,
    &branches::DESCRIBING_BRANCH,
    &merging::MERGE_TYPE,
    &merging::LIST_KEY,
    &embedded::EMBEDDED_RESOURCE,
    &keywords::KEYWORD_VALUE,
];

pub(crate) static MAP_BESIDE_FIELDS: Lint = Lint::error(
    "OP106",
    "an object schema with both `properties` and `additionalProperties`",
    "The server says `additionalProperties and properties are mutual exclusive`.",
    "struct Settings {\n    name: String,\n    #[serde(flatten)]\n    others: BTreeMap<String, i32>,\n}",
    "struct Settings { name: String, others: BTreeMap<String, i32> }",
);

pub(crate) static UNIT_TYPE: Lint = Lint::error(
    "OP107",
    "a unit type, whose only value is null",
    "The only value of a unit type is null, which has no type in a CRD. The server reports `type: Required value`.",
    "struct Empty;",
    "struct Empty {}",
);

pub(crate) static UNKNOWN_KEYWORD: Lint = Lint::error(
    "OP109",
    "a schema keyword that a CRD does not support",
    "The server reports, for example, `patternProperties is not supported`.",
    "#[schemars(extend(\"patternProperties\" = {\"^a\": {}, \"^b\": {}}))]",
    "#[schemars(with = \"BTreeMap<String, T>\")]",
);

pub(crate) static NO_VALUE: Lint = Lint::error(
    "OP110",
    "a field whose schema allows no value",
    "The schema of the field is `false`, which a CRD cannot express.",
    "never: Never, // a schema of `false`",
    "#[serde(skip)]\nnever: Never,",
);

pub(crate) static NO_TYPE: Lint = Lint::error(
    "OP111",
    "a field whose schema has no valid type",
    "The server reports `type: Required value: must not be empty for specified object fields`, or a similar error for \
     the items of an array.",
    "#[schemars(extend(\"type\" = \"text\"))]\nnote: Note,",
    "#[schemars(with = \"String\")]\nnote: Note,",
);

const HINT: &str =
    "#[schemars(with = \"..\")] with a type that has a fixed schema, or #[schemars(extend(\"type\" = \"..\"))]";

/// Reports the parts of a schema that the server would refuse.
pub(super) fn check(node: &Value, path: &FieldPath, findings: &mut Findings) {
    let rust = rust_type(node);
    let Some(map) = node.as_object() else {
        return findings.add(
            &NO_VALUE,
            path,
            None,
            "allows no value at all",
            "remove the field, or add `#[serde(skip)]` to it",
        );
    };
    let shapeless = is_true(node, INT_OR_STRING) || is_true(node, PRESERVE);
    let name = node.get("type").and_then(Value::as_str).unwrap_or_default();
    match name {
        "" if !shapeless || path.is_root() => findings.add(&NO_TYPE, path, rust.clone(), "has no type", HINT),
        "null" => findings.add(
            &UNIT_TYPE,
            path,
            rust.clone(),
            "is a unit type, whose only value is null",
            "remove the field, or use a struct with a body: `struct Empty {}`",
        ),
        "" | "object" | "array" | "string" | "integer" | "number" | "boolean" => {}
        other => findings.add(&NO_TYPE, path, rust.clone(), format!("has the unknown type `{other}`"), HINT),
    }
    if path.is_root() && name != "object" {
        findings.add(
            &NO_OBJECT,
            path,
            rust.clone(),
            "is not an object",
            "derive CustomResource on a struct with named fields",
        );
    }
    if path.is_root() && map.contains_key("additionalProperties") {
        findings.add(
            &NO_OBJECT,
            path,
            rust.clone(),
            "is a map, and a CRD needs an object with fields at the root",
            "put the map into a separate field",
        );
    }
    for key in ["$ref", "patternProperties", "definitions", "dependencies", "id"] {
        if map.contains_key(key) {
            findings.add(
                &UNKNOWN_KEYWORD,
                path,
                rust.clone(),
                format!("uses `{key}`, which a CRD does not know"),
                HINT,
            );
        }
    }
    if name == "array" && !map.contains_key("items") {
        findings.add(&NO_TYPE, path, rust.clone(), "is an array without a schema for its items", HINT);
    }
    let fields = node.get("properties").and_then(Value::as_object);
    let has_fields = fields.is_some_and(|fields| !fields.is_empty());
    if has_fields && map.contains_key("additionalProperties") {
        findings.add(
            &MAP_BESIDE_FIELDS,
            path,
            rust.clone(),
            "has both fields and `additionalProperties`",
            "put the map into a separate field",
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
