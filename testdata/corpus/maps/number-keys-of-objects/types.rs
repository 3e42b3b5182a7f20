//! Rule: the values of a map with numbers for keys are described to their depth.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "maps.example.com",
    version = "v1",
    kind = "NumberKeysOfObjects",
    plural = "numberkeysofobjectses",
    namespaced
)]
pub struct NumberKeysOfObjectsSpec {
    pub shards: BTreeMap<u16, Shard>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Shard {
    pub host: Option<Host>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Host {
    pub name: String,
    pub weight: u8,
}
