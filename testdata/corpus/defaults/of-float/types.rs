//! Rule: a default of a whole number has no fraction.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "defaults.example.com", version = "v1", kind = "OfFloat", plural = "offloats", namespaced)]
pub struct OfFloatSpec {
    #[serde(default = "one")]
    pub ratio: f64,
}

fn one() -> f64 {
    1.0
}
