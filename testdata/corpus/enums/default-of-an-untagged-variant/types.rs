//! Rule: the default of a field of an untagged variant is not filled into the named ones.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "UntaggedVariantDefault",
    plural = "untaggedvariantdefaults",
    namespaced
)]
pub struct UntaggedVariantDefaultSpec {
    pub target: Target,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Target {
    Named(String),
    #[serde(untagged)]
    Custom {
        id: String,
        #[serde(default)]
        note: String,
    },
}
