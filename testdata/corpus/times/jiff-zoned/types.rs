//! Rule: jiff's Zoned names its zone, which no format of the server allows.

use jiff::Zoned;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "times.example.com", version = "v1", kind = "JiffZoned", plural = "jiffzoneds", namespaced)]
pub struct JiffZonedSpec {
    pub at: Zoned,
}
