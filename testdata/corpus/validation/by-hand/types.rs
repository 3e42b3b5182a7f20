//! Rule: a schema written by hand is taken as it is.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "ByHand", plural = "byhands", namespaced)]
pub struct ByHandSpec {
    #[schemars(schema_with = "quantity")]
    pub size: String,
}

fn quantity(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "string", "pattern": "^[0-9]+(Mi|Gi)$"})
}
