//! Rule: serde_json's own map keeps what is in its values.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "free-form.example.com", version = "v1", kind = "JsonMap", plural = "jsonmaps", namespaced)]
pub struct JsonMapSpec {
    pub values: Map<String, Value>,
}
