//! Rule: a pattern that looks ahead is refused, for RE2 does not.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "validation.example.com",
    version = "v1",
    kind = "PatternLooksAhead",
    plural = "patternlooksaheads",
    namespaced
)]
pub struct PatternLooksAheadSpec {
    #[schemars(regex(pattern = r"^(?!-)[a-z-]+$"))]
    pub name: String,
}
