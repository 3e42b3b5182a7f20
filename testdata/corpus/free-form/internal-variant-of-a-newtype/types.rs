//! Rule: any JSON behind a newtype in a variant of an internally tagged enum is kept.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "free-form.example.com",
    version = "v1",
    kind = "InternalVariantOfANewtype",
    plural = "internalvariantofanewtypes",
    namespaced
)]
pub struct InternalVariantOfANewtypeSpec {
    pub source: Source,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Source {
    Sized { size: i32 },
    Inline(Inline),
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Inline(pub Value);
