//! Rule: a time of the day has no format that the server knows.

use jiff::civil::Time;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "times.example.com", version = "v1", kind = "JiffTime", plural = "jifftimes", namespaced)]
pub struct JiffTimeSpec {
    pub at: Time,
}
