//! Rule: an alias is read, and the field is written under its name.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "contracts.example.com", version = "v1", kind = "Alias", plural = "aliass", namespaced)]
pub struct AliasSpec {
    #[serde(rename = "maximum", alias = "max")]
    pub max: i32,
}
