//! Rule: a map of another crate is a map.

use indexmap::IndexMap;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "maps.example.com", version = "v1", kind = "MapInOrder", plural = "mapinorders", namespaced)]
pub struct MapInOrderSpec {
    pub steps: IndexMap<String, bool>,
}
