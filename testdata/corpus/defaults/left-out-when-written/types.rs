//! Rule: a default that serde leaves out when it writes is not written into the definition.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "defaults.example.com",
    version = "v1",
    kind = "LeftOutWhenWritten",
    plural = "leftoutwhenwrittens",
    namespaced
)]
pub struct LeftOutWhenWrittenSpec {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
}
