//! Rule: a map of structs describes its values.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "maps.example.com", version = "v1", kind = "OfObjects", plural = "ofobjectses", namespaced)]
pub struct OfObjectsSpec {
    pub pools: BTreeMap<String, Pool>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Pool {
    pub size: u32,
}
