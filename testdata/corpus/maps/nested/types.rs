//! Rule: a map of maps keeps its shape at every level.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "maps.example.com", version = "v1", kind = "Nested", plural = "nesteds", namespaced)]
pub struct NestedSpec {
    pub shards: BTreeMap<String, BTreeMap<String, Vec<u8>>>,
}
