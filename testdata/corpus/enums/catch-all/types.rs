//! Rule: a variant for all others does not widen what may be written.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "CatchAll", plural = "catchalls", namespaced)]
pub struct CatchAllSpec {
    pub phase: Phase,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Phase {
    Ready,
    #[serde(other)]
    Unknown,
}
