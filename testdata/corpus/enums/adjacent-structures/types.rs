//! Rule: an adjacently tagged enum of structs unites their fields in its content.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "AdjacentStructures",
    plural = "adjacentstructureses",
    namespaced
)]
pub struct AdjacentStructuresSpec {
    pub action: Action,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type", content = "with")]
pub enum Action {
    Scale { replicas: u32 },
    Restart { reason: String },
}
