//! Rule: a variant that serde skips is no value.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "SkippedVariant", plural = "skippedvariants", namespaced)]
pub struct SkippedVariantSpec {
    pub mode: Mode,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Mode {
    A,
    B,
    #[serde(skip)]
    Internal,
}
