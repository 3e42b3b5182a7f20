//! Rule: an enum within a variant of an enum is made structural, too.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "ExternalNested", plural = "externalnesteds", namespaced)]
pub struct ExternalNestedSpec {
    pub outer: Outer,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub enum Outer {
    First(Inner),
    Second { inner: Inner },
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub enum Inner {
    Left { a: i32 },
    Right { b: i32 },
}
