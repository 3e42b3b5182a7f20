//! Rule: a field that is written and never read would be pruned, and is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "contracts.example.com", version = "v1", kind = "WrittenOnly", plural = "writtenonlys", namespaced)]
pub struct WrittenOnlySpec {
    pub image: String,
    #[serde(skip_deserializing)]
    pub revision: i64,
}
