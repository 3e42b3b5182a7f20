//! Rule: a hand-written union of types is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "findings.example.com", version = "v1", kind = "SeveralTypes", plural = "severaltypeses", namespaced)]
pub struct SeveralTypesSpec {
    #[schemars(schema_with = "union")]
    pub value: serde_json::Value,
}

fn union(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": ["string", "boolean"]})
}
