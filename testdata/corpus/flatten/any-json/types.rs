//! Rule: flattened JSON keeps the fields that nobody names.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "flatten.example.com", version = "v1", kind = "AnyJson", plural = "anyjsons", namespaced)]
pub struct AnyJsonSpec {
    pub own: i32,
    #[serde(flatten)]
    pub rest: Value,
}
