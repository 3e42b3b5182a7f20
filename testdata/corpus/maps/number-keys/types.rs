//! Rule: a map with numbers for keys is a map of its values.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "maps.example.com", version = "v1", kind = "NumberKeys", plural = "numberkeyses", namespaced)]
pub struct NumberKeysSpec {
    pub names: BTreeMap<u32, String>,
}
