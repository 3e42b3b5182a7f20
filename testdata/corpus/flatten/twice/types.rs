//! Rule: a flattened struct may have flattened structs.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "flatten.example.com", version = "v1", kind = "Twice", plural = "twices", namespaced)]
pub struct TwiceSpec {
    #[serde(flatten)]
    pub outer: Outer,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Outer {
    pub a: i32,
    #[serde(flatten)]
    pub inner: Inner,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Inner {
    pub b: String,
}
