//! Rule: any JSON as the content of an adjacently tagged variant is kept.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "free-form.example.com",
    version = "v1",
    kind = "AdjacentVariant",
    plural = "adjacentvariants",
    namespaced
)]
pub struct AdjacentVariantSpec {
    pub source: Source,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type", content = "value")]
pub enum Source {
    Empty,
    Inline(Value),
}
