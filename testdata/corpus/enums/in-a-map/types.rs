//! Rule: an enum as a map's value is made structural in its map.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "InAMap", plural = "inamaps", namespaced)]
pub struct InAMapSpec {
    pub values: BTreeMap<String, Source>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "from")]
pub enum Source {
    Secret { key: String },
    Text { text: String },
}
