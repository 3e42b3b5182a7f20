//! Rule: an f32 is a number of the format float.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "numbers.example.com", version = "v1", kind = "F32", plural = "f32s", namespaced)]
pub struct F32Spec {
    pub ratio: f32,
}
