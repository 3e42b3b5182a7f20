//! Rule: an alias of a variant is no value, since nothing writes it.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "Alias", plural = "aliases", namespaced)]
pub struct AliasSpec {
    pub mode: Mode,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Mode {
    #[serde(alias = "Quick")]
    Fast,
    Slow,
}
