//! Rule: a struct with a body and no fields is an object without fields.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "structs.example.com", version = "v1", kind = "Empty", plural = "emptys", namespaced)]
pub struct EmptySpec {
    pub emptiness: Nothing,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Nothing {}
