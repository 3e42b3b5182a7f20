//! Rule: a flattened map of any JSON beside a flattened enum keeps the fields that nobody names.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "flatten.example.com", version = "v1", kind = "EnumAndAnyMap", plural = "enumandanymaps", namespaced)]
pub struct EnumAndAnyMapSpec {
    #[serde(flatten)]
    pub source: Source,
    #[serde(flatten)]
    pub others: BTreeMap<String, Value>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Source {
    Sized { size: i32 },
    Empty,
}
