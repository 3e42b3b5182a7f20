//! Rule: structs of an untagged enum that give a field two types are refused at that field.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "UntaggedConflict",
    plural = "untaggedconflicts",
    namespaced
)]
pub struct UntaggedConflictSpec {
    pub range: Range,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Range {
    Numbers { from: i32 },
    Texts { from: String },
}
