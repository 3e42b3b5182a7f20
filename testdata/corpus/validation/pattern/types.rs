//! Rule: a regular expression is a pattern, and need not match from the beginning.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "Pattern", plural = "patterns", namespaced)]
pub struct PatternSpec {
    #[schemars(regex(pattern = r"[a-z]+\.example$"))]
    pub host: String,
}
