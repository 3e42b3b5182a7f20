//! Rule: the default of a field that one of several untagged structs has is not in the CRD.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "UntaggedDefault",
    plural = "untaggeddefaults",
    namespaced
)]
pub struct UntaggedDefaultSpec {
    pub target: Target,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Target {
    Service(Service),
    Web(Web),
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Service {
    name: String,
    #[serde(default)]
    retries: u8,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Web {
    url: String,
}
