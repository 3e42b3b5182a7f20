//! Rule: a field that several variants have alike is described once.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "InternalSharedField",
    plural = "internalsharedfields",
    namespaced
)]
pub struct InternalSharedFieldSpec {
    pub probe: Probe,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Probe {
    Http { port: u16, path: String },
    Tcp { port: u16 },
}
