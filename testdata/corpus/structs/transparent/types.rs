//! Rule: a transparent struct is its only field.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "structs.example.com", version = "v1", kind = "Transparent", plural = "transparents", namespaced)]
pub struct TransparentSpec {
    pub size: Size,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(transparent)]
pub struct Size {
    pub bytes: u32,
}
