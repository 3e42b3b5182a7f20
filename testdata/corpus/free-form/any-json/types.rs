//! Rule: any JSON keeps everything it is given.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "free-form.example.com", version = "v1", kind = "AnyJson", plural = "anyjsons", namespaced)]
pub struct AnyJsonSpec {
    pub value: Value,
}
