//! Rule: any JSON in a variant of a flattened enum is kept.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "free-form.example.com",
    version = "v1",
    kind = "InternalVariantFlattened",
    plural = "internalvariantflatteneds",
    namespaced
)]
pub struct InternalVariantFlattenedSpec {
    pub own: i32,
    #[serde(flatten)]
    pub source: Source,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Source {
    Sized { size: i32 },
    Inline(Value),
}
