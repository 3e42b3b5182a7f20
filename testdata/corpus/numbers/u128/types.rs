//! Rule: a u128 has no format, and is not negative.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "numbers.example.com", version = "v1", kind = "U128", plural = "u128s", namespaced)]
pub struct U128Spec {
    pub value: u128,
}
