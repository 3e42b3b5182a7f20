//! Rule: a type that contains itself is refused with its cycle spelled out.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "recursion.example.com", version = "v1", kind = "ThroughAList", plural = "throughalists", namespaced)]
pub struct ThroughAListSpec {
    pub tree: Tree,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Tree {
    pub children: Vec<Tree>,
}
