//! Rule: a BTreeSet is a list, and `uniqueItems`, which the server refuses, is left out.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "lists.example.com", version = "v1", kind = "TreeSet", plural = "treesets", namespaced)]
pub struct TreeSetSpec {
    pub zones: BTreeSet<String>,
}
