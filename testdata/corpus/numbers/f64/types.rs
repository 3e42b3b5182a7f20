//! Rule: an f64 is a number of the format double.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "numbers.example.com", version = "v1", kind = "F64", plural = "f64s", namespaced)]
pub struct F64Spec {
    pub ratio: f64,
}
