//! Rule: an untagged enum of strings is a string.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "UntaggedOfOneType",
    plural = "untaggedofonetypes",
    namespaced
)]
pub struct UntaggedOfOneTypeSpec {
    pub name: Name,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Name {
    Known(Known),
    Other(String),
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Known {
    Main,
    Spare,
}
