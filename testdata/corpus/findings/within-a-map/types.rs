//! Rule: what a server refuses is found within the values of a map.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "findings.example.com", version = "v1", kind = "WithinAMap", plural = "withinamaps", namespaced)]
pub struct WithinAMapSpec {
    pub names: BTreeMap<String, Name>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(extend("id" = "name"))]
pub struct Name(String);
