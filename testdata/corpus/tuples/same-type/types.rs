//! Rule: a tuple of one type is an array of its length.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "tuples.example.com", version = "v1", kind = "SameType", plural = "sametypes", namespaced)]
pub struct SameTypeSpec {
    pub point: (i32, i32),
}
