//! Rule: a pattern that repeats more than 1000 times is refused, though Rust's regex takes it.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "validation.example.com",
    version = "v1",
    kind = "PatternRepeats",
    plural = "patternrepeatses",
    namespaced
)]
pub struct PatternRepeatsSpec {
    #[schemars(regex(pattern = r"^a{1001}$"))]
    pub name: String,
}
