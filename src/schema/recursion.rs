//! The problem of a type that contains itself.

use crate::schema::problem::Problem;

const ANY_OBJECT: &str = "#[schemars(schema_with = \"any_object\")] on the field that closes the circle, with\n\
    fn any_object(_: &mut schemars::SchemaGenerator) -> schemars::Schema {\n    \
    schemars::json_schema!({\"type\": \"object\", \"x-kubernetes-preserve-unknown-fields\": true})\n}";
const ANY_OBJECTS: &str = "#[schemars(schema_with = \"any_objects\")] on the field that closes the circle, with\n\
    fn any_objects(_: &mut schemars::SchemaGenerator) -> schemars::Schema {\n    \
    schemars::json_schema!({\"type\": \"array\", \"items\": {\n        \
    \"type\": \"object\", \"x-kubernetes-preserve-unknown-fields\": true}})\n}";

/// Makes the problem at the field that closes the circle; `circle` has each type with the fields that lead on.
pub(crate) fn recursion(path: String, circle: &[(String, String)]) -> Problem {
    let mut round: Vec<String> = circle.iter().map(|(name, fields)| format!("{name}{fields}")).collect();
    round.extend(circle.first().map(|(name, _)| name.clone()));
    Problem {
        code: "OP101",
        hint: if path.ends_with("[]") { ANY_OBJECTS } else { ANY_OBJECT }.to_owned(),
        path,
        rust_type: circle.last().map(|(name, _)| name.clone()),
        reason: format!("is recursive ({}), which a CRD cannot describe", round.join(" → ")),
    }
}
