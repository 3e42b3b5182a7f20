//! Rule: the documentation of a field wins over that of its enum.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "options.example.com",
    version = "v1",
    kind = "OfDocumentedEnum",
    plural = "ofdocumentedenums",
    namespaced
)]
pub struct OfDocumentedEnumSpec {
    /// What the user wants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
}

/// Which modes there are.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Mode {
    /// The first.
    A,
    /// The second.
    B,
}
