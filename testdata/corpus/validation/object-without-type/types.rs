//! Rule: a hand-written schema with properties is an object.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "validation.example.com",
    version = "v1",
    kind = "ObjectWithoutType",
    plural = "objectwithouttypes",
    namespaced
)]
pub struct ObjectWithoutTypeSpec {
    #[schemars(schema_with = "object")]
    pub value: Value,
}

fn object(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"properties": {"a": {"type": "string"}}})
}
