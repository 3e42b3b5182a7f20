//! Rule: the default of a field within the content of one variant is not in the CRD.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "AdjacentDefault",
    plural = "adjacentdefaults",
    namespaced
)]
pub struct AdjacentDefaultSpec {
    pub target: Target,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "t", content = "c", deny_unknown_fields)]
pub enum Target {
    Left {
        #[serde(default)]
        x: u8,
        y: u8,
    },
    Right {
        z: u8,
    },
}
