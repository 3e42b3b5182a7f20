//! Rule: the documentation of an enum is that of its field, and each tag remains one of the values.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "InternalDocumented",
    plural = "internaldocumenteds",
    namespaced
)]
pub struct InternalDocumentedSpec {
    pub step: Step,
}

/// What is done.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "do")]
pub enum Step {
    /// Waits.
    Wait {
        /// For so long.
        seconds: u32,
    },
    /// Calls.
    Call {
        /// This.
        url: String,
    },
}
