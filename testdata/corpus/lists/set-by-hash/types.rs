//! Rule: a HashSet is a list as a BTreeSet is.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "lists.example.com", version = "v1", kind = "SetByHash", plural = "setbyhashes", namespaced)]
pub struct SetByHashSpec {
    pub zones: HashSet<String>,
}
