//! Rule: what other tools keep in `x-` keywords is left out without a word.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "OwnKeywords", plural = "ownkeywordses", namespaced)]
pub struct OwnKeywordsSpec {
    #[schemars(extend("x-order" = 1, "readOnly" = true))]
    pub name: String,
}
