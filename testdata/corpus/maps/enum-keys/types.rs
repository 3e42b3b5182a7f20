//! Rule: a map with an enum for keys has the variants as its only fields.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "maps.example.com", version = "v1", kind = "EnumKeys", plural = "enumkeyses", namespaced)]
pub struct EnumKeysSpec {
    pub levels: BTreeMap<Level, String>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Low,
    High,
}
