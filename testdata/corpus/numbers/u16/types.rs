//! Rule: a u16 is an int32 from 0 to 65535.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "numbers.example.com", version = "v1", kind = "U16", plural = "u16s", namespaced)]
pub struct U16Spec {
    pub port: u16,
}
