//! Rule: a flattened optional map of any JSON keeps the fields that nobody names.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "flatten.example.com", version = "v1", kind = "OptionalAnyMap", plural = "optionalanymaps", namespaced)]
pub struct OptionalAnyMapSpec {
    pub own: i32,
    #[serde(flatten)]
    pub rest: Option<Map<String, Value>>,
}
