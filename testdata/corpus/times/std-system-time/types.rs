//! Rule: std's SystemTime is an object of seconds and nanoseconds since 1970.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::SystemTime;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "times.example.com", version = "v1", kind = "StdSystemTime", plural = "stdsystemtimes", namespaced)]
pub struct StdSystemTimeSpec {
    pub at: SystemTime,
}
