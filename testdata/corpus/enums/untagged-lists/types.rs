//! Rule: an untagged enum of lists with items of one type is such a list.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "UntaggedLists", plural = "untaggedlistses", namespaced)]
pub struct UntaggedListsSpec {
    pub names: Names,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Names {
    Few(#[schemars(length(max = 2))] Vec<String>),
    Many(Vec<String>),
}
