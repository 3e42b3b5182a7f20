//! Rule: a default within an item is put into every item.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "lists.example.com", version = "v1", kind = "DefaultOfItems", plural = "defaultofitemses", namespaced)]
pub struct DefaultOfItemsSpec {
    pub ports: Vec<Port>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Port {
    pub number: u16,
    #[serde(default = "tcp")]
    pub protocol: String,
}

fn tcp() -> String {
    "TCP".to_owned()
}
