//! Rule: a required field that may be left out when written is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "contracts.example.com",
    version = "v1",
    kind = "LeftOutAndRequired",
    plural = "leftoutandrequireds",
    namespaced
)]
pub struct LeftOutAndRequiredSpec {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
}
