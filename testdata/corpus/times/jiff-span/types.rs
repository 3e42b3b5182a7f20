//! Rule: a Span is written as ISO 8601, which is not the server's duration.

use jiff::Span;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "times.example.com", version = "v1", kind = "JiffSpan", plural = "jiffspans", namespaced)]
pub struct JiffSpanSpec {
    pub every: Span,
}
