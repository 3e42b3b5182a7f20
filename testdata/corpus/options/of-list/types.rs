//! Rule: an Option of a list is nullable as a list, not in its items.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "options.example.com", version = "v1", kind = "OfList", plural = "oflists", namespaced)]
pub struct OfListSpec {
    pub args: Option<Vec<String>>,
}
