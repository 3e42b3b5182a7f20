//! Rule: a restriction of an Option is one of its value.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "Optional", plural = "optionals", namespaced)]
pub struct OptionalSpec {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1), extend("multipleOf" = 2))]
    pub size: Option<i32>,
}
