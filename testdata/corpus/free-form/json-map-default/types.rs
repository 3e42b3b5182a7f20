//! Rule: any JSON may have a default.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "free-form.example.com",
    version = "v1",
    kind = "JsonMapDefault",
    plural = "jsonmapdefaults",
    namespaced
)]
pub struct JsonMapDefaultSpec {
    #[serde(default = "settings")]
    pub settings: Value,
}

fn settings() -> Value {
    json!({"level": {"default": "info"}})
}
