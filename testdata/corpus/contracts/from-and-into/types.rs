//! Rule: a type that is read from a string and written as a number is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "contracts.example.com", version = "v1", kind = "FromAndInto", plural = "fromandintos", namespaced)]
pub struct FromAndIntoSpec {
    pub size: Size,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(from = "String", into = "i32")]
pub struct Size(usize);

impl From<String> for Size {
    fn from(text: String) -> Self {
        Size(text.len())
    }
}

impl From<Size> for i32 {
    fn from(size: Size) -> Self {
        size.0 as i32
    }
}
