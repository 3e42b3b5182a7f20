//! Rule: an i64 keeps its format.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "numbers.example.com", version = "v1", kind = "I64", plural = "i64s", namespaced)]
pub struct I64Spec {
    pub value: i64,
}
