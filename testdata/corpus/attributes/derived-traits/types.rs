//! Rule: what `#[kube(..)]` says about the Rust type alone is no part of the definition.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "DerivedTraits",
    plural = "derivedtraitses",
    namespaced,
    derive = "PartialEq"
)]
#[derive(PartialEq)]
pub struct DerivedTraitsSpec {
    pub a: i32,
}
