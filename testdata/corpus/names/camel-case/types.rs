//! Rule: `rename_all` names all fields of a struct.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "names.example.com", version = "v1", kind = "CamelCase", plural = "camelcases", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct CamelCaseSpec {
    pub image_pull_policy: String,
    pub r#type: String,
}
