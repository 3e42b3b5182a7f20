//! Rule: a field that may be left out when written and has a default is accepted.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "contracts.example.com",
    version = "v1",
    kind = "LeftOutWithDefault",
    plural = "leftoutwithdefaults",
    namespaced
)]
pub struct LeftOutWithDefaultSpec {
    pub name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
}
