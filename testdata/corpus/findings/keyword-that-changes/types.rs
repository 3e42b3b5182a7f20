//! Rule: a keyword that changes what is valid and that a CRD does not have is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "findings.example.com",
    version = "v1",
    kind = "KeywordThatChanges",
    plural = "keywordthatchangeses",
    namespaced
)]
pub struct KeywordThatChangesSpec {
    #[schemars(extend("id" = "https://example.com/name"))]
    pub name: String,
}
