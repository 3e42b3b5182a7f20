//! Rule: a Vec is a list of its items.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "lists.example.com", version = "v1", kind = "Vector", plural = "vectors", namespaced)]
pub struct VectorSpec {
    pub args: Vec<String>,
}
