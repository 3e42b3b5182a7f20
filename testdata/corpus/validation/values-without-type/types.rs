//! Rule: hand-written values have the type that they are of.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "validation.example.com",
    version = "v1",
    kind = "ValuesWithoutType",
    plural = "valueswithouttypes",
    namespaced
)]
pub struct ValuesWithoutTypeSpec {
    #[schemars(schema_with = "texts")]
    pub text: Value,
    #[schemars(schema_with = "flags")]
    pub flag: Value,
    #[schemars(schema_with = "wholes")]
    pub whole: Value,
    #[schemars(schema_with = "fractions")]
    pub fraction: Value,
}

fn texts(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"enum": ["a", "b"]})
}

fn flags(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"const": true})
}

fn wholes(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"enum": [1, 2]})
}

fn fractions(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"enum": [0.5, 1.5]})
}
