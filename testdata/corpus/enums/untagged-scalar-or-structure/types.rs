//! Rule: an untagged enum of a string and a struct is of two types, and refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "UntaggedScalarOrStructure",
    plural = "untaggedscalarorstructures",
    namespaced
)]
pub struct UntaggedScalarOrStructureSpec {
    pub source: Source,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Source {
    Name(String),
    Full { name: String, key: String },
}
