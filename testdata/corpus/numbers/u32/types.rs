//! Rule: a u32 is an int64 up to 4294967295, which int32 would be too small for.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "numbers.example.com", version = "v1", kind = "U32", plural = "u32s", namespaced)]
pub struct U32Spec {
    pub count: u32,
}
