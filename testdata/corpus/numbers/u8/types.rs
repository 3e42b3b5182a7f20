//! Rule: an unsigned byte is an int32 from 0 to 255.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "numbers.example.com", version = "v1", kind = "U8", plural = "u8s", namespaced)]
pub struct U8Spec {
    pub value: u8,
}
