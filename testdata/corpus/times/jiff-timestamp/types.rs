//! Rule: jiff's Timestamp is a date-time.

use jiff::Timestamp;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "times.example.com", version = "v1", kind = "JiffTimestamp", plural = "jifftimestamps", namespaced)]
pub struct JiffTimestampSpec {
    pub at: Timestamp,
}
