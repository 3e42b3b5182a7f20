//! Rule: an untagged enum of a number and a string is an int-or-string.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "UntaggedNumberOrText",
    plural = "untaggednumberortexts",
    namespaced
)]
pub struct UntaggedNumberOrTextSpec {
    pub port: Port,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Port {
    Number(u16),
    Name(String),
}
