//! Rule: an externally tagged enum is an object with one of its variants as the only field.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "External", plural = "externals", namespaced)]
pub struct ExternalSpec {
    pub source: Source,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub enum Source {
    Git { url: String },
    Image(String),
}
