//! Rule: a type that is flattened into itself is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "recursion.example.com",
    version = "v1",
    kind = "FlattenedIntoItself",
    plural = "flattenedintoitselfs",
    namespaced
)]
pub struct FlattenedIntoItselfSpec {
    pub node: Node,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Node {
    pub name: String,
    #[serde(flatten)]
    pub rest: Option<Box<Node>>,
}
