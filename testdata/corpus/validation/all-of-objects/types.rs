//! Rule: `allOf` of objects is one object that requires what each of them requires.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "AllOfObjects", plural = "allofobjectses", namespaced)]
pub struct AllOfObjectsSpec {
    #[schemars(schema_with = "both")]
    pub value: Value,
}

fn both(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": "object",
        "required": ["own"],
        "properties": {"own": {"type": "string"}},
        "allOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"properties": {"b": {"type": "string"}}, "required": ["b"]},
        ],
    })
}
