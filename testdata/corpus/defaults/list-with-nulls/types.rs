//! Rule: nulls within the items of a default stand for fields that are not there.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "defaults.example.com", version = "v1", kind = "ListWithNulls", plural = "listwithnullses", namespaced)]
pub struct ListWithNullsSpec {
    #[serde(default = "servers")]
    pub servers: Vec<Server>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Server {
    pub name: String,
    #[serde(default)]
    pub more: More,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct More {
    pub port: Option<u16>,
}

fn servers() -> Vec<Server> {
    vec![Server { name: "main".to_owned(), more: More::default() }]
}
