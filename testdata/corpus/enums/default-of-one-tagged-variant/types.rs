//! Rule: the default of a field that one tagged variant has is not in the CRD.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "TaggedDefault",
    plural = "taggeddefaults",
    namespaced
)]
pub struct TaggedDefaultSpec {
    pub target: Target,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "kind", deny_unknown_fields)]
pub enum Target {
    Slow {
        #[serde(default)]
        seconds: u8,
    },
    Fast {},
}
