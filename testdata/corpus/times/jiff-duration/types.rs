//! Rule: a SignedDuration is written as ISO 8601, too.

use jiff::SignedDuration;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "times.example.com", version = "v1", kind = "JiffDuration", plural = "jiffdurations", namespaced)]
pub struct JiffDurationSpec {
    pub timeout: SignedDuration,
}
