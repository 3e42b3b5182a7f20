//! Rule: an untagged enum with any JSON among its variants keeps whatever JSON it is given.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "UntaggedWithAny", plural = "untaggedwithanys", namespaced)]
pub struct UntaggedWithAnySpec {
    pub value: Loose,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Loose {
    Known { name: String },
    Any(Value),
}
