//! Rule: any JSON in a variant of an internally tagged enum is kept.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "free-form.example.com",
    version = "v1",
    kind = "InternalVariant",
    plural = "internalvariants",
    namespaced
)]
pub struct InternalVariantSpec {
    pub source: Source,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Source {
    Empty,
    Sized { size: i32 },
    AnyJson(Value),
}
