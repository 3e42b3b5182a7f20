//! Rule: `serde(default)` makes a field optional, with the default of its type.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "defaults.example.com", version = "v1", kind = "OfType", plural = "oftypes", namespaced)]
pub struct OfTypeSpec {
    #[serde(default)]
    pub replicas: i32,
    #[serde(default)]
    pub text: String,
    #[serde(default)]
    pub list: Vec<String>,
    #[serde(default)]
    pub enabled: bool,
}
