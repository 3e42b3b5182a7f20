//! Rule: an enum with and without data in its variants is of two types, and refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "MixedUnitAndData",
    plural = "mixedunitanddatas",
    namespaced
)]
pub struct MixedUnitAndDataSpec {
    pub strategy: Strategy,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Strategy {
    Recreate,
    Rolling { surge: i32 },
}
