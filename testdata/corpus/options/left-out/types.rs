//! Rule: an Option that serde leaves out when it is None is neither required nor nullable.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "options.example.com", version = "v1", kind = "LeftOut", plural = "leftouts", namespaced)]
pub struct LeftOutSpec {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}
