//! Rule: an enum of numbers has their type.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "Numbers", plural = "numberses", namespaced)]
pub struct NumbersSpec {
    #[schemars(extend("enum" = [1, 2, 4]))]
    pub lanes: i32,
}
