//! Rule: an adjacently tagged enum whose contents are of one type has its tag and that content.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "Adjacent", plural = "adjacents", namespaced)]
pub struct AdjacentSpec {
    pub address: Address,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type", content = "value")]
pub enum Address {
    Host(String),
    Ip(String),
}
