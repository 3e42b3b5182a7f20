//! Rule: integers of different widths that share a field keep the widest bounds.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "UntaggedIntegers",
    plural = "untaggedintegerss",
    namespaced
)]
pub struct UntaggedIntegersSpec {
    pub size: Size,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Size {
    Small(u8),
    Signed(i32),
}
