//! Rule: an Option of an enum with data is that enum, or left out.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "OptionalWithData",
    plural = "optionalwithdatas",
    namespaced
)]
pub struct OptionalWithDataSpec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub enum Source {
    Git { url: String },
    Image(String),
}
