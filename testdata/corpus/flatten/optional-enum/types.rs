//! Rule: a flattened optional enum requires none of its variants.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "flatten.example.com", version = "v1", kind = "OptionalEnum", plural = "optionalenums", namespaced)]
pub struct OptionalEnumSpec {
    pub own: i32,
    #[serde(flatten)]
    pub source: Option<Source>,
    #[serde(flatten)]
    pub limit: Option<Limit>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Source {
    Sized { size: i32 },
    Named { name: String },
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Limit {
    Limited { limit: i32 },
}
