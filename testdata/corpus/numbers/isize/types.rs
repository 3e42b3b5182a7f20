//! Rule: an isize is an int64, on every platform.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "numbers.example.com", version = "v1", kind = "Isize", plural = "isizes", namespaced)]
pub struct IsizeSpec {
    pub offset: isize,
}
