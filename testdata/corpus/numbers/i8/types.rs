//! Rule: a signed byte is an int32 from -128 to 127.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "numbers.example.com", version = "v1", kind = "I8", plural = "i8s", namespaced)]
pub struct I8Spec {
    pub value: i8,
}
