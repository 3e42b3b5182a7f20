//! Rule: an Option of an enum that serde leaves out has no null among its values.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "options.example.com", version = "v1", kind = "OfEnumLeftOut", plural = "ofenumleftouts", namespaced)]
pub struct OfEnumLeftOutSpec {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Mode {
    A,
    B,
}
