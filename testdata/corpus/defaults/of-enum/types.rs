//! Rule: a default of an enum is the name of its variant.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "defaults.example.com", version = "v1", kind = "OfEnum", plural = "ofenums", namespaced)]
pub struct OfEnumSpec {
    #[serde(default)]
    pub mode: Mode,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
pub enum Mode {
    Slow,
    #[default]
    Fast,
}
