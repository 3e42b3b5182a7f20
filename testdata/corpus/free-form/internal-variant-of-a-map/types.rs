//! Rule: a map of any JSON in a variant of an internally tagged enum is kept.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "free-form.example.com",
    version = "v1",
    kind = "InternalVariantOfAMap",
    plural = "internalvariantofamaps",
    namespaced
)]
pub struct InternalVariantOfAMapSpec {
    pub source: Source,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Source {
    Sized { size: i32 },
    Inline(BTreeMap<String, Value>),
}
