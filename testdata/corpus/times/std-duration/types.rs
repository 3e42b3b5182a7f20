//! Rule: std's Duration is an object of seconds and nanoseconds.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "times.example.com", version = "v1", kind = "StdDuration", plural = "stddurations", namespaced)]
pub struct StdDurationSpec {
    pub timeout: Duration,
}
