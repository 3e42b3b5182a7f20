//! Rule: an i32 keeps its format, whose bounds the server holds.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "numbers.example.com", version = "v1", kind = "I32", plural = "i32s", namespaced)]
pub struct I32Spec {
    pub value: i32,
}
