//! Rule: a list of structs describes its items, required fields included.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "lists.example.com", version = "v1", kind = "Objects", plural = "objectses", namespaced)]
pub struct ObjectsSpec {
    pub servers: Vec<Server>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Server {
    pub host: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
}
