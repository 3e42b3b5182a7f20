//! Rule: an internally tagged enum is one object whose tag decides what is required.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "Internal", plural = "internals", namespaced)]
pub struct InternalSpec {
    pub backend: Backend,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Backend {
    S3 { bucket: String, region: Option<String> },
    Disk { path: String },
}
