//! Rule: an untagged enum of a value and a list of them is of two types, and refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "UntaggedOneOrMany",
    plural = "untaggedoneormanys",
    namespaced
)]
pub struct UntaggedOneOrManySpec {
    pub args: Args,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Args {
    One(String),
    Many(Vec<String>),
}
