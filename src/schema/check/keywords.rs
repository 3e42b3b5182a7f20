//! Checks the types of keywords' values: the server cannot even decode a CRD with a value of the wrong type
//! (`apiextensions/v1` `JSONSchemaProps`).

use crate::finding::Lint;
use crate::schema::finding::Findings;
use crate::schema::marks::rust_type;
use crate::schema::path::FieldPath;
use serde_json::Value;

pub(crate) static KEYWORD_VALUE: Lint = Lint::error(
    "OP125",
    "a schema keyword with a value of the wrong type",
    "The server cannot read the definition at all: `cannot unmarshal string into Go struct field JSONSchemaProps`.",
    "#[schemars(extend(\"maxLength\" = \"20\"))]\nname: String,",
    "#[schemars(extend(\"maxLength\" = 20))]\nname: String,",
);

/// The type of a keyword's value.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Flag,
    Count,
    Number,
    Texts,
    List,
    Table,
}

const KEYWORDS: [(&str, Kind); 29] = [
    ("description", Kind::Text),
    ("format", Kind::Text),
    ("pattern", Kind::Text),
    ("title", Kind::Text),
    ("x-kubernetes-list-type", Kind::Text),
    ("x-kubernetes-map-type", Kind::Text),
    ("exclusiveMaximum", Kind::Flag),
    ("exclusiveMinimum", Kind::Flag),
    ("nullable", Kind::Flag),
    ("x-kubernetes-embedded-resource", Kind::Flag),
    ("x-kubernetes-int-or-string", Kind::Flag),
    ("x-kubernetes-preserve-unknown-fields", Kind::Flag),
    ("maxItems", Kind::Count),
    ("maxLength", Kind::Count),
    ("maxProperties", Kind::Count),
    ("minItems", Kind::Count),
    ("minLength", Kind::Count),
    ("minProperties", Kind::Count),
    ("maximum", Kind::Number),
    ("minimum", Kind::Number),
    ("multipleOf", Kind::Number),
    ("required", Kind::Texts),
    ("x-kubernetes-list-map-keys", Kind::Texts),
    ("allOf", Kind::List),
    ("anyOf", Kind::List),
    ("enum", Kind::List),
    ("oneOf", Kind::List),
    ("x-kubernetes-validations", Kind::List),
    ("properties", Kind::Table),
];

impl Kind {
    fn fits(self, value: &Value) -> bool {
        match self {
            Kind::Text => value.is_string(),
            Kind::Flag => value.is_boolean(),
            Kind::Count => value.is_i64(),
            Kind::Number => value.is_number(),
            Kind::Texts => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
            Kind::List => value.is_array(),
            Kind::Table => value.is_object(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Text => "a text",
            Kind::Flag => "`true` or `false`",
            Kind::Count => "a whole number",
            Kind::Number => "a number",
            Kind::Texts => "a list of texts",
            Kind::List => "a list",
            Kind::Table => "an object",
        }
    }
}

/// Checks the types of the keywords' values in one schema.
pub(super) fn check(node: &Value, path: &FieldPath, findings: &mut Findings) {
    for (key, kind) in KEYWORDS {
        let Some(value) = node.get(key).filter(|value| !value.is_null() && !kind.fits(value)) else { continue };
        let reason = format!("has `{key}: {value}`, but the value of this keyword must be {}", kind.name());
        let hint = "#[schemars(extend(\"..\" = ..))] with a value of that type, or without the keyword";
        findings.add(&KEYWORD_VALUE, path, rust_type(node), reason, hint);
    }
}
