//! Rule: a flattened map of typed values beside a flattened enum is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "flatten.example.com",
    version = "v1",
    kind = "EnumAndTypedMap",
    plural = "enumandtypedmaps",
    namespaced
)]
pub struct EnumAndTypedMapSpec {
    #[serde(flatten)]
    pub source: Source,
    #[serde(flatten)]
    pub others: BTreeMap<String, i32>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Source {
    Sized { size: i32 },
    Empty,
}
