//! Rule: any JSON among the variants of a flattened untagged enum is kept.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "free-form.example.com",
    version = "v1",
    kind = "UntaggedFlattened",
    plural = "untaggedflatteneds",
    namespaced
)]
pub struct UntaggedFlattenedSpec {
    pub own: i32,
    #[serde(flatten)]
    pub source: Source,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Source {
    Known { name: String },
    Other(Value),
}
