//! Rule: a newtype variant of an internally tagged enum lends the fields of its struct.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "InternalNewtypeVariants",
    plural = "internalnewtypevariantses",
    namespaced
)]
pub struct InternalNewtypeVariantsSpec {
    pub store: Store,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "provider", rename_all = "lowercase")]
pub enum Store {
    Aws(Aws),
    Vault(Vault),
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Aws {
    pub region: String,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Vault {
    pub server: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}
