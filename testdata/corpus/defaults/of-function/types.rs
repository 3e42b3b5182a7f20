//! Rule: `serde(default = "..")` is what the function gives.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "defaults.example.com", version = "v1", kind = "OfFunction", plural = "offunctions", namespaced)]
pub struct OfFunctionSpec {
    #[serde(default = "three")]
    pub replicas: i32,
}

fn three() -> i32 {
    3
}
