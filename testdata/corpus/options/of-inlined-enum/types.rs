//! Rule: null is no value of an enum that is described in place.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "options.example.com", version = "v1", kind = "OfInlinedEnum", plural = "ofinlinedenums", namespaced)]
pub struct OfInlinedEnumSpec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(inline)]
pub enum Mode {
    A,
    B,
}
