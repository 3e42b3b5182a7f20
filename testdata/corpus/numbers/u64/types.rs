//! Rule: a u64 is an int64 that is not negative.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "numbers.example.com", version = "v1", kind = "U64", plural = "u64s", namespaced)]
pub struct U64Spec {
    pub bytes: u64,
}
