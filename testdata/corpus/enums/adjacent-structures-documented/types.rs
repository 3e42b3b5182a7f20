//! Rule: contents that are documented differently are united without documentation.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "AdjacentStructuresDocumented",
    plural = "adjacentstructuresdocumenteds",
    namespaced
)]
pub struct AdjacentStructuresDocumentedSpec {
    pub action: Action,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type", content = "with")]
pub enum Action {
    Scale(Scale),
    Restart(Restart),
}

/// How to scale.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Scale {
    pub replicas: u32,
    pub reason: String,
}

/// Why to restart.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Restart {
    pub reason: String,
}
