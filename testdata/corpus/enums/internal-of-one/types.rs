//! Rule: an enum of one variant with data requires what that one requires.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "InternalOfOne", plural = "internalofones", namespaced)]
pub struct InternalOfOneSpec {
    pub store: Store,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Store {
    Disk { path: String },
}
