//! Rule: a variant without data of an adjacently tagged enum has no content.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "AdjacentWithUnit",
    plural = "adjacentwithunits",
    namespaced
)]
pub struct AdjacentWithUnitSpec {
    pub limit: Limit,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type", content = "value")]
pub enum Limit {
    None,
    AtMost(u32),
}
