//! Rule: a tuple of different types is found wherever it stands, and each is reported.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "tuples.example.com", version = "v1", kind = "Nested", plural = "nesteds", namespaced)]
pub struct NestedSpec {
    pub list: Vec<(String, i32)>,
    pub map: BTreeMap<String, (bool, String)>,
}
