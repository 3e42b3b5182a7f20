//! Rule: a hand-written schema without a type is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "findings.example.com", version = "v1", kind = "WithoutAShape", plural = "withoutashapes", namespaced)]
pub struct WithoutAShapeSpec {
    #[schemars(schema_with = "shapeless")]
    pub a: String,
}

fn shapeless(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"anyOf": [{"minLength": 1}, {"maxLength": 5}]})
}
