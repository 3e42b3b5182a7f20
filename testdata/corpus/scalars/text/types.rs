//! Rule: a String is a string, and required.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "scalars.example.com", version = "v1", kind = "Text", plural = "texts", namespaced)]
pub struct TextSpec {
    pub text: String,
}
