//! Rule: a flattened map of any JSON before a flattened enum keeps the fields that nobody names.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "flatten.example.com", version = "v1", kind = "AnyMapAndEnum", plural = "anymapandenums", namespaced)]
pub struct AnyMapAndEnumSpec {
    #[serde(flatten)]
    pub others: BTreeMap<String, Value>,
    #[serde(flatten)]
    pub source: Option<Source>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Source {
    Sized { size: i32 },
    Named { name: String },
}
