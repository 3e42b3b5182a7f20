//! Rule: `length` of a list is minItems and maxItems.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "LengthOfList", plural = "lengthoflists", namespaced)]
pub struct LengthOfListSpec {
    #[schemars(length(min = 1, max = 2))]
    pub hosts: Vec<String>,
}
