//! Rule: a hand-written union of integer and string is an int-or-string.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "validation.example.com",
    version = "v1",
    kind = "NumberOrTextByHand",
    plural = "numberortextbyhands",
    namespaced
)]
pub struct NumberOrTextByHandSpec {
    #[schemars(schema_with = "union")]
    pub value: serde_json::Value,
}

fn union(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": ["string", "integer"]})
}
