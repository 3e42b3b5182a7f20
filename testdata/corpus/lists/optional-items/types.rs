//! Rule: an Option as an item is a nullable item, and its nulls are kept.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "lists.example.com", version = "v1", kind = "OptionalItems", plural = "optionalitemses", namespaced)]
pub struct OptionalItemsSpec {
    pub slots: Vec<Option<String>>,
}
