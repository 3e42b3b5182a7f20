//! Rule: a number and a string that share a field keep what restricts each of them.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "UntaggedBoundedNumberOrText",
    plural = "untaggedboundednumberortexts",
    namespaced
)]
pub struct UntaggedBoundedNumberOrTextSpec {
    pub port: Port,
    pub workers: Workers,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Port {
    Number(#[schemars(range(min = 1))] u16),
    Name(#[schemars(length(max = 15), regex(pattern = r"^[a-z]+$"))] String),
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Workers {
    Count(u32),
    Automatic(Automatic),
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Automatic {
    Few,
    /// As many as there are processors.
    AsManyAsPossible,
}
