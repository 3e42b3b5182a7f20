//! The keywords of the root, of which the server takes only some where there is a status (apiextensions-apiserver
//! `pkg/apis/apiextensions/validation/validation.go`, `allowedFieldsAtRootSchema`).

use crate::schema::Problem;
use serde_json::Value;

/// The allowed keywords among those that opctl writes.
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

/// Checks the root of a schema, with or without a status subresource.
pub(crate) fn check(crd: &Value, schema: &Value) -> Option<Problem> {
    crd.pointer("/spec/versions/0/subresources/status")?;
    let key = schema.as_object()?.keys().find(|key| !ALLOWED.contains(&key.as_str()))?;
    Some(Problem {
        code: "OP112",
        path: ".".to_owned(),
        rust_type: None,
        reason: format!("has `{key}` at the root, which a CRD with a status subresource cannot have there"),
        hint: "say it of the spec; or, where the type has no spec, put what it is about into a field of its own"
            .to_owned(),
    })
}
