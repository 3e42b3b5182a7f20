//! Rule: a field that is never written and has a default is accepted.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "contracts.example.com", version = "v1", kind = "ReadOnly", plural = "readonlys", namespaced)]
pub struct ReadOnlySpec {
    pub image: String,
    #[serde(default, skip_serializing)]
    pub password: String,
}
