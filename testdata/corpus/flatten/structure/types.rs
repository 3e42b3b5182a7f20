//! Rule: a flattened struct lends its fields, and what it requires is required.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "flatten.example.com", version = "v1", kind = "Structure", plural = "structures", namespaced)]
pub struct StructureSpec {
    pub own: i32,
    #[serde(flatten)]
    pub common: Common,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Common {
    /// The image to run.
    pub image: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
}
