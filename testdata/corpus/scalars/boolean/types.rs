//! Rule: a bool is a boolean.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "scalars.example.com", version = "v1", kind = "Boolean", plural = "booleans", namespaced)]
pub struct BooleanSpec {
    pub enabled: bool,
}
