//! Rule: a default of None is none.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "defaults.example.com", version = "v1", kind = "OfNone", plural = "ofnones", namespaced)]
pub struct OfNoneSpec {
    #[serde(default)]
    pub text: Option<String>,
}
