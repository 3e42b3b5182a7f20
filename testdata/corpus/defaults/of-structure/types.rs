//! Rule: `serde(default)` on a struct gives each field the value that it has there.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "defaults.example.com", version = "v1", kind = "OfStructure", plural = "ofstructures", namespaced)]
#[serde(default)]
pub struct OfStructureSpec {
    pub port: u16,
    pub host: String,
}

impl Default for OfStructureSpec {
    fn default() -> Self {
        Self { port: 8080, host: "localhost".to_owned() }
    }
}
