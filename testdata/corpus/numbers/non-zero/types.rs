//! Rule: a number that is never zero keeps its minimum of 1 beside the bound of its width.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "numbers.example.com", version = "v1", kind = "NonZero", plural = "nonzeros", namespaced)]
pub struct NonZeroSpec {
    pub shards: NonZeroU32,
}
