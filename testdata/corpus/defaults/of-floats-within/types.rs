//! Rule: whole numbers within a default have no fraction.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "defaults.example.com", version = "v1", kind = "OfFloatsWithin", plural = "offloatswithins", namespaced)]
pub struct OfFloatsWithinSpec {
    #[serde(default = "weights")]
    pub weights: BTreeMap<String, Vec<f64>>,
}

fn weights() -> BTreeMap<String, Vec<f64>> {
    BTreeMap::from([("a".to_owned(), vec![1.0, 2.5])])
}
