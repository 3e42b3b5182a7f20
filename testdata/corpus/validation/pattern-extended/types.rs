//! Rule: a pattern with `(?x)` is refused, though Rust's regex takes it.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "validation.example.com",
    version = "v1",
    kind = "PatternExtended",
    plural = "patternextendeds",
    namespaced
)]
pub struct PatternExtendedSpec {
    #[schemars(regex(pattern = r"(?x)^ a $"))]
    pub name: String,
}
