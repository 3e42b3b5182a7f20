//! Rule: variants may have different defaults for a field, which are not in the CRD.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "SharedFieldDefaults",
    plural = "sharedfielddefaultss",
    namespaced
)]
pub struct SharedFieldDefaultsSpec {
    pub target: Target,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "kind")]
pub enum Target {
    Slow {
        #[serde(default = "ten")]
        seconds: u8,
    },
    Fast {
        #[serde(default)]
        seconds: u8,
    },
}

fn ten() -> u8 {
    10
}
