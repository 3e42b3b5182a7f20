//! Rule: a HashMap is a map as a BTreeMap is.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "maps.example.com", version = "v1", kind = "MapByHash", plural = "mapbyhashes", namespaced)]
pub struct MapByHashSpec {
    pub counts: HashMap<String, u32>,
}
