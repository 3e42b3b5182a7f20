//! Rule: an adjacently tagged enum whose contents are of different types is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "AdjacentDifferent",
    plural = "adjacentdifferents",
    namespaced
)]
pub struct AdjacentDifferentSpec {
    pub value: Typed,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type", content = "value")]
pub enum Typed {
    Text(String),
    Flag(bool),
}
