//! Rewrites JSON Schema 2020-12, which schemars writes, with the keywords of `OpenAPI` 3.0 that a CRD has.

use crate::finding::Lint;
use crate::schema::check::UNKNOWN_KEYWORD;
use crate::schema::extensions::PRESERVE;
use crate::schema::finding::Findings;
use crate::schema::marks::{ONE_SIDED, VARIANT, rust_type};
use crate::schema::path::{self, BRANCHES, FieldPath};
use serde_json::{Map, Value, json};

pub(crate) static LINTS: &[&Lint] = &[&MIXED_TUPLE, &DROPPED_KEYWORD];

pub(crate) static MIXED_TUPLE: Lint = Lint::error(
    "OP102",
    "a tuple with elements of different types",
    "A CRD has one schema for all items of a list. The server reports `items must be a schema object and not an \
     array`.",
    "port: (String, u16),",
    "port: Port,\n// with\nstruct Port { name: String, number: u16 }",
);

pub(crate) static DROPPED_KEYWORD: Lint = Lint::warning(
    "OP151",
    "a schema keyword that opctl leaves out of the CRD",
    "A CRD does not support the keyword, and the server would silently drop it and not enforce it.",
    "#[schemars(extend(\"contains\" = {\"const\": \"main\"}))]\nnames: Vec<String>,",
    "#[x_kube(validation = (\"'main' in self\", \"main is missing\"))]\nnames: Vec<String>,",
);

/// The keywords that opctl does not drop from a schema: the keywords of a CRD's schema (`apiextensions/v1`
/// `JSONSchemaProps`), and `prefixItems`, which opctl replaces.
const KNOWN: [&str; 34] = [
    "additionalProperties",
    "allOf",
    "anyOf",
    "default",
    "description",
    "enum",
    "example",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "nullable",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "required",
    "title",
    "type",
    "uniqueItems",
    "id",
    "definitions",
];

/// The Kubernetes extensions of JSON Schema that are allowed in a CRD.
const EXTENSIONS: [&str; 7] = [
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-validations",
];

/// The keywords that do not restrict values.
const SILENT: [&str; 7] = ["$schema", "$id", "$comment", "$defs", "deprecated", "contentEncoding", "contentMediaType"];

/// Replaces the keywords that a CRD does not support, in a schema and in all schemas below it.
pub(super) fn simplify(node: &mut Value, path: &FieldPath, findings: &mut Findings) {
    match node {
        Value::Bool(true) => *node = json!({}),
        Value::Object(map) => simplify_keywords(map, path, findings),
        _ => {}
    }
    path::for_each_child(node, path, &mut |child, path| simplify(child, path, findings));
}

fn simplify_keywords(map: &mut Map<String, Value>, path: &FieldPath, findings: &mut Findings) {
    if let Some(value) = map.remove("const") {
        map.entry("enum").or_insert_with(|| json!([value]));
    }
    if let Some(Value::Array(examples)) = map.remove("examples")
        && let Some(example) = examples.into_iter().next()
    {
        map.entry("example").or_insert(example);
    }
    for (exclusive, inclusive) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        if map.get(exclusive).is_some_and(Value::is_number)
            && let Some(bound) = map.insert(exclusive.to_owned(), true.into())
        {
            map.insert(inclusive.to_owned(), bound);
        }
    }
    // The server refuses `uniqueItems`; a set has `x-kubernetes-list-type: set`.
    map.remove("uniqueItems");
    // schemars writes `unevaluatedProperties` for a map that is flattened beside an enum.
    if let Some(others) = map.remove("unevaluatedProperties") {
        map.entry("additionalProperties").or_insert(others);
    }
    // schemars writes `readOnly` for `skip_deserializing`, and `writeOnly` for `skip_serializing`.
    if let (Some(_), _) | (_, Some(_)) = (map.remove("readOnly"), map.remove("writeOnly")) {
        map.insert(ONE_SIDED.to_owned(), true.into());
    }
    // False is the default, and the server refuses an explicit `false`.
    if map.get(PRESERVE) == Some(&Value::Bool(false)) {
        map.remove(PRESERVE);
    }
    if map.get("default").is_some_and(Value::is_null) {
        map.remove("default");
    }
    for key in BRANCHES {
        let branches = map.get_mut(key).and_then(Value::as_array_mut);
        for branch in branches.into_iter().flatten().filter_map(Value::as_object_mut) {
            if let Some(title) = branch.remove("title") {
                branch.insert(VARIANT.to_owned(), title);
            }
        }
    }
    tuples(map, path, findings);
    key_patterns(map, path, findings);
    let dropped: Vec<String> = map
        .keys()
        .filter(|key| {
            !KNOWN.contains(&key.as_str()) && !EXTENSIONS.contains(&key.as_str()) && !key.starts_with("x-opctl-")
        })
        .cloned()
        .collect();
    for key in dropped {
        map.remove(&key);
        // Dropping annotations and the keywords of other tools (`x-…`) loses nothing.
        if !SILENT.contains(&key.as_str()) && (!key.starts_with("x-") || key.starts_with("x-kubernetes-")) {
            let reason = format!("uses `{key}`, which a CRD does not support; the keyword is left out");
            findings.add(&DROPPED_KEYWORD, path, None, reason, "express it with `#[x_kube(validation = \"..\")]`");
        }
    }
}

fn tuples(map: &mut Map<String, Value>, path: &FieldPath, findings: &mut Findings) {
    if !map.contains_key("prefixItems") && !map.get("items").is_some_and(Value::is_array) {
        return;
    }
    let parts = map.remove("prefixItems").or_else(|| map.remove("items"));
    let parts = parts.as_ref().and_then(Value::as_array).cloned().unwrap_or_default();
    // A tuple whose parts are all alike is an array of a fixed length.
    if let Some(first) = parts.first().filter(|first| parts.iter().all(|part| part == *first)) {
        map.insert("items".to_owned(), first.clone());
        return;
    }
    let hint = "use a struct with named fields; or, for values of one type, an array `[T; N]`";
    findings.add(
        &MIXED_TUPLE,
        path,
        rust_type(&Value::Object(map.clone())),
        "is a tuple of different types, which a CRD cannot describe",
        hint,
    );
}

/// Replaces `patternProperties` by `additionalProperties`, because a CRD has no patterns for the keys of a map.
fn key_patterns(map: &mut Map<String, Value>, path: &FieldPath, findings: &mut Findings) {
    let Some(Value::Object(patterns)) = map.remove("patternProperties") else { return };
    let mut schemas = patterns.into_iter().map(|(_, schema)| schema);
    match (schemas.next(), schemas.next()) {
        (Some(schema), None) => {
            if !map.get("additionalProperties").is_some_and(Value::is_object) {
                map.insert("additionalProperties".to_owned(), schema);
            }
        }
        (None, _) => {}
        _ => findings.add(
            &UNKNOWN_KEYWORD,
            path,
            rust_type(&Value::Object(map.clone())),
            "has several `patternProperties`, which a CRD cannot describe",
            "#[schemars(with = \"BTreeMap<String, T>\")]",
        ),
    }
}
