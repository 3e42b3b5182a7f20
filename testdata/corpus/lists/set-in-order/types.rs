//! Rule: a set of another crate is a list as those of std are.

use indexmap::IndexSet;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "lists.example.com", version = "v1", kind = "SetInOrder", plural = "setinorders", namespaced)]
pub struct SetInOrderSpec {
    pub zones: IndexSet<String>,
}
