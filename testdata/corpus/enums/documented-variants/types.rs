//! Rule: variants of which some are documented are one enum of all their names.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "DocumentedVariants",
    plural = "documentedvariantses",
    namespaced
)]
pub struct DocumentedVariantsSpec {
    pub mode: Mode,
}

/// How it runs.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Mode {
    Slow,
    /// Without a pause.
    Fast,
    Careful,
}
