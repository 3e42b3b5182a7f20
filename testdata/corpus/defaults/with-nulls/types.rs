//! Rule: a null in a default stands for a field that is not there.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "defaults.example.com", version = "v1", kind = "WithNulls", plural = "withnullses", namespaced)]
pub struct WithNullsSpec {
    #[serde(default)]
    pub limits: Limits,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct Limits {
    pub cpu: Option<String>,
    pub count: i32,
}
