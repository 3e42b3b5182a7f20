//! Rule: a `nullable` that the user wrote stays.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "options.example.com", version = "v1", kind = "NullableByHand", plural = "nullablebyhands", namespaced)]
pub struct NullableByHandSpec {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("nullable" = true))]
    pub text: Option<String>,
}
