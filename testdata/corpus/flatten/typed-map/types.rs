//! Rule: a flattened map of typed values beside fields is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "flatten.example.com", version = "v1", kind = "TypedMap", plural = "typedmaps", namespaced)]
pub struct TypedMapSpec {
    pub own: i32,
    #[serde(flatten)]
    pub rest: BTreeMap<String, String>,
}
