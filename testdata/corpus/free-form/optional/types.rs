//! Rule: an Option of any JSON that serde leaves out keeps everything else.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "free-form.example.com", version = "v1", kind = "Optional", plural = "optionals", namespaced)]
pub struct OptionalSpec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}
