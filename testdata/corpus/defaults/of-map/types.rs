//! Rule: a default of a map is put in whole where the map is absent, and not merged where it is there.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "defaults.example.com", version = "v1", kind = "OfMap", plural = "ofmaps", namespaced)]
pub struct OfMapSpec {
    #[serde(default = "labels")]
    pub labels: BTreeMap<String, String>,
}

fn labels() -> BTreeMap<String, String> {
    BTreeMap::from([("app".to_owned(), "x".to_owned())])
}
