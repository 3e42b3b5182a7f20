//! Rule: lists of lists keep their shape at every level.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "lists.example.com", version = "v1", kind = "Nested", plural = "nesteds", namespaced)]
pub struct NestedSpec {
    pub matrix: Vec<Vec<u8>>,
}
