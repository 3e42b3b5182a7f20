//! Rule: a usize is an int64 that is not negative, on every platform.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "numbers.example.com", version = "v1", kind = "Usize", plural = "usizes", namespaced)]
pub struct UsizeSpec {
    pub length: usize,
}
