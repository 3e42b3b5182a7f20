//! Rule: a cycle through a map is spelled out at the map's value.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "recursion.example.com", version = "v1", kind = "ThroughAMap", plural = "throughamaps", namespaced)]
pub struct ThroughAMapSpec {
    pub schema: Node,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Node {
    pub properties: BTreeMap<String, Node>,
}
