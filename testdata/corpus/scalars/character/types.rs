//! Rule: a char is a string of the length 1.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "scalars.example.com", version = "v1", kind = "Character", plural = "characters", namespaced)]
pub struct CharacterSpec {
    pub separator: char,
}
