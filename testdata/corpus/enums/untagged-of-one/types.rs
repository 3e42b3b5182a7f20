//! Rule: an untagged enum of one variant is that variant.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "UntaggedOfOne", plural = "untaggedofones", namespaced)]
pub struct UntaggedOfOneSpec {
    pub name: Only,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Only {
    Name(#[schemars(length(max = 3))] String),
}
