//! The finding about a type that contains itself.

use crate::finding::Lint;
use crate::schema::finding::SchemaFinding;

pub(crate) static SELF_CONTAINED: Lint = Lint::error(
    "OP101",
    "a type that contains itself",
    "A CRD does not support `$ref`, so the schema of the type would be infinite. The server reports `$ref is not \
     supported`.",
    "struct Node { children: Vec<Node> }",
    "struct Node {\n    #[schemars(schema_with = \"any_object\")]\n    children: Vec<Node>,\n}\n\
     fn any_object(_: &mut schemars::SchemaGenerator) -> schemars::Schema {\n    \
     schemars::json_schema!({\"type\": \"array\", \"items\": {\n        \
     \"type\": \"object\", \"x-kubernetes-preserve-unknown-fields\": true}})\n}",
);

const ANY_OBJECT: &str = "#[schemars(schema_with = \"any_object\")] on the field that closes the circle, with\n\
    fn any_object(_: &mut schemars::SchemaGenerator) -> schemars::Schema {\n    \
    schemars::json_schema!({\"type\": \"object\", \"x-kubernetes-preserve-unknown-fields\": true})\n}";
const ANY_OBJECTS: &str = "#[schemars(schema_with = \"any_objects\")] on the field that closes the circle, with\n\
    fn any_objects(_: &mut schemars::SchemaGenerator) -> schemars::Schema {\n    \
    schemars::json_schema!({\"type\": \"array\", \"items\": {\n        \
    \"type\": \"object\", \"x-kubernetes-preserve-unknown-fields\": true}})\n}";

/// Creates the finding at the field that closes a cycle of types; `circle` has each type of the cycle with the path of
/// fields to the next type.
pub(crate) fn recursion(path: String, circle: &[(String, String)]) -> SchemaFinding {
    let mut round: Vec<String> = circle.iter().map(|(name, fields)| format!("{name}{fields}")).collect();
    round.extend(circle.first().map(|(name, _)| name.clone()));
    SchemaFinding {
        lint: &SELF_CONTAINED,
        hint: if path.ends_with("[]") { ANY_OBJECTS } else { ANY_OBJECT }.to_owned(),
        path,
        rust_type: circle.last().map(|(name, _)| name.clone()),
        reason: format!("is recursive ({}), which a CRD cannot describe", round.join(" → ")),
    }
}
