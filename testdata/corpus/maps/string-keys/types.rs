//! Rule: a map of strings is an object of any keys.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "maps.example.com", version = "v1", kind = "StringKeys", plural = "stringkeyses", namespaced)]
pub struct StringKeysSpec {
    pub labels: BTreeMap<String, String>,
}
