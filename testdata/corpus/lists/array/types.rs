//! Rule: an array has exactly as many items as its type.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "lists.example.com", version = "v1", kind = "Array", plural = "arrays", namespaced)]
pub struct ArraySpec {
    pub weights: [i32; 3],
}
