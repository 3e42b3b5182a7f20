//! Rule: an i16 is an int32 from -32768 to 32767.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "numbers.example.com", version = "v1", kind = "I16", plural = "i16s", namespaced)]
pub struct I16Spec {
    pub value: i16,
}
