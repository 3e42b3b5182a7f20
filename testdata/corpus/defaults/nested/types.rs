//! Rule: a default of an object is completed with the defaults of its fields.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "defaults.example.com", version = "v1", kind = "Nested", plural = "nesteds", namespaced)]
pub struct NestedSpec {
    #[serde(default)]
    pub outer: Outer,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct Outer {
    #[serde(default)]
    pub inner: Inner,
    #[serde(default)]
    pub flag: bool,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Inner {
    #[serde(default = "ten")]
    pub size: u8,
}

impl Default for Inner {
    fn default() -> Self {
        Self { size: 10 }
    }
}

fn ten() -> u8 {
    10
}
