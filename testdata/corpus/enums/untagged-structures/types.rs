//! Rule: an untagged enum of structs is one object, which must have what one of them requires.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "UntaggedStructures",
    plural = "untaggedstructureses",
    namespaced
)]
pub struct UntaggedStructuresSpec {
    pub target: Target,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Target {
    Service { service: String, port: u16 },
    Url { url: String },
}
