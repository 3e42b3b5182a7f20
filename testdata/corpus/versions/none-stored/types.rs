//! Rule: a kind of which no version is stored is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "versions.example.com",
    version = "v1",
    kind = "NoneStored",
    plural = "nonestoreds",
    namespaced,
    storage = false
)]
pub struct NoneStoredSpec {
    pub a: i32,
}
