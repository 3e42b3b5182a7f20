//! Rule: a list of any JSON keeps what is in its items.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "free-form.example.com", version = "v1", kind = "List", plural = "lists", namespaced)]
pub struct ListSpec {
    pub values: Vec<Value>,
}
