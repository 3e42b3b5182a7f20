//! Rule: a pattern that refers back is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "validation.example.com",
    version = "v1",
    kind = "PatternRefersBack",
    plural = "patternrefersbacks",
    namespaced
)]
pub struct PatternRefersBackSpec {
    #[schemars(regex(pattern = r"^(a|b)\1$"))]
    pub name: String,
}
