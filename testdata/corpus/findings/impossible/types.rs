//! Rule: a field that allows no value is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "findings.example.com", version = "v1", kind = "Impossible", plural = "impossibles", namespaced)]
pub struct ImpossibleSpec {
    #[schemars(schema_with = "never")]
    pub a: String,
}

fn never(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    false.into()
}
