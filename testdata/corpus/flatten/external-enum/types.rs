//! Rule: a flattened externally tagged enum adds its variants to the fields, one of which must be there.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "flatten.example.com", version = "v1", kind = "ExternalEnum", plural = "externalenums", namespaced)]
pub struct ExternalEnumSpec {
    pub name: String,
    #[serde(flatten)]
    pub source: Source,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub enum Source {
    Git { url: String },
    Local(String),
}
