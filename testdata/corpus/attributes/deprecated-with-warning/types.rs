//! Rule: a deprecated version warns in the user's words.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "DeprecatedWithWarning",
    plural = "deprecatedwithwarnings",
    namespaced,
    deprecated = "use something else"
)]
pub struct DeprecatedWithWarningSpec {
    pub a: i32,
}
