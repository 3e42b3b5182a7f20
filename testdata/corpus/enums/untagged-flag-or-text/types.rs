//! Rule: an untagged enum of a boolean and a string is of two types, and refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "UntaggedFlagOrText",
    plural = "untaggedflagortexts",
    namespaced
)]
pub struct UntaggedFlagOrTextSpec {
    pub value: Flag,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Flag {
    Is(bool),
    Named(String),
}
