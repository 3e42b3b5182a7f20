//! Rule: the struct may have any name.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "attributes.example.com", version = "v1", kind = "SpecOfAnyName", plural = "specofanynames", namespaced)]
pub struct Wishes {
    pub a: i32,
}
