//! Rule: an Option of an Option is one Option to Kubernetes.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "options.example.com", version = "v1", kind = "OptionOfOption", plural = "optionofoptions", namespaced)]
pub struct OptionOfOptionSpec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Option<i32>>,
}
