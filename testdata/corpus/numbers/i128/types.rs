//! Rule: an i128 has no format.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "numbers.example.com", version = "v1", kind = "I128", plural = "i128s", namespaced)]
pub struct I128Spec {
    pub value: i128,
}
