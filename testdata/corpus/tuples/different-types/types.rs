//! Rule: a tuple of different types is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "tuples.example.com", version = "v1", kind = "DifferentTypes", plural = "differenttypeses", namespaced)]
pub struct DifferentTypesSpec {
    pub pair: (String, i32),
}
