//! Rule: an Option that `schemars(required)` requires, and serde leaves out, is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "options.example.com", version = "v1", kind = "RequiredOption", plural = "requiredoptions", namespaced)]
pub struct RequiredOptionSpec {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    pub text: Option<String>,
}
