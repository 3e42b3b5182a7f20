//! Rule: minProperties and maxProperties of a map are kept.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "SizeOfMap", plural = "sizeofmaps", namespaced)]
pub struct SizeOfMapSpec {
    #[schemars(extend("minProperties" = 1, "maxProperties" = 2))]
    pub labels: BTreeMap<String, String>,
}
