//! Rule: a variant without data of an internally tagged enum is its tag alone.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "InternalWithUnit",
    plural = "internalwithunits",
    namespaced
)]
pub struct InternalWithUnitSpec {
    pub policy: Policy,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Policy {
    Always,
    Never,
    Within { seconds: u32 },
}
