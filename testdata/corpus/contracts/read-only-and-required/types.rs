//! Rule: a required field that is never written would be missing, and is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "contracts.example.com",
    version = "v1",
    kind = "ReadOnlyAndRequired",
    plural = "readonlyandrequireds",
    namespaced
)]
pub struct ReadOnlyAndRequiredSpec {
    pub image: String,
    #[serde(skip_serializing)]
    pub password: String,
}
