//! Rule: an optional enum with a default cannot be none, and is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "contracts.example.com",
    version = "v1",
    kind = "NullEnumWithDefault",
    plural = "nullenumwithdefaults",
    namespaced
)]
pub struct NullEnumWithDefaultSpec {
    #[serde(default = "fast")]
    pub mode: Option<Mode>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Mode {
    Fast,
    Slow,
}

fn fast() -> Option<Mode> {
    Some(Mode::Fast)
}
