//! Rule: a field that variants describe differently is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "InternalConflict",
    plural = "internalconflicts",
    namespaced
)]
pub struct InternalConflictSpec {
    pub value: Value,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Value {
    Text { value: String },
    Number { value: i32 },
}
