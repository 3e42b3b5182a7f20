//! Rule: an optional enum in a list would be written as null there, and is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "contracts.example.com",
    version = "v1",
    kind = "NullEnumInAList",
    plural = "nullenuminalists",
    namespaced
)]
pub struct NullEnumInAListSpec {
    pub modes: Vec<Option<Mode>>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Mode {
    Fast,
    Slow,
}
