//! Rule: keys that may be negative numbers have no pattern.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "maps.example.com", version = "v1", kind = "SignedKeys", plural = "signedkeyses", namespaced)]
pub struct SignedKeysSpec {
    pub offsets: BTreeMap<i64, String>,
}
