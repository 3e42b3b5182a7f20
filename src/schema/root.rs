//! Checks the keywords of the root schema, of which the server allows only some if the CRD has a status subresource
//! (apiextensions-apiserver `pkg/apis/apiextensions/validation/validation.go`, `allowedFieldsAtRootSchema`).

use crate::finding::Lint;
use crate::schema::finding::SchemaFinding;
use serde_json::Value;

pub(crate) static NO_OBJECT: Lint = Lint::error(
    "OP112",
    "a CRD schema whose root is not an object with fields",
    "The server reports `must be object at the root`, `additionalProperties: must not be used at the root` or, for a \
     CRD with a status, that only some keywords `are allowed at the root of the schema if the status subresource is \
     enabled`.",
    "#[derive(CustomResource, ..)]\nstruct FooSpec(Vec<String>); // with a hand-written schema",
    "#[derive(CustomResource, ..)]\nstruct FooSpec { items: Vec<String> }",
);

/// The keywords that opctl may write and the API server allows at the root if the CRD has a status subresource.
const ALLOWED: [&str; 22] = [
    "description",
    "example",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "multipleOf",
    "nullable",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-validations",
];

/// Reports a forbidden keyword at the root of a schema, if the CRD has a status subresource.
pub(crate) fn check(crd: &Value, schema: &Value) -> Option<SchemaFinding> {
    crd.pointer("/spec/versions/0/subresources/status")?;
    let key = schema.as_object()?.keys().find(|key| !ALLOWED.contains(&key.as_str()))?;
    let reason = format!("has `{key}` at the root, which a CRD with a status subresource cannot have there");
    let hint =
        "move the keyword to the spec; or, if the type has no spec, move the described data into a separate field";
    Some(SchemaFinding::new(&NO_OBJECT, reason, hint))
}
