//! Rule: a flattened map of any JSON keeps the fields that nobody names.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "flatten.example.com", version = "v1", kind = "AnyMap", plural = "anymaps", namespaced)]
pub struct AnyMapSpec {
    pub own: i32,
    #[serde(flatten)]
    pub rest: BTreeMap<String, Value>,
}
