//! Rule: a flattened internally tagged enum adds its tag and its fields to those of the struct.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "flatten.example.com", version = "v1", kind = "InternalEnum", plural = "internalenums", namespaced)]
pub struct InternalEnumSpec {
    pub name: String,
    #[serde(flatten)]
    pub store: Store,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "kind")]
pub enum Store {
    Memory { megabytes: u32 },
    File { path: String },
}
