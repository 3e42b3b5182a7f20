//! Rule: a type is found by its derive, and named by `root`, whatever its kind is.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "Root",
    plural = "roots",
    namespaced,
    root = "TcpRoute"
)]
pub struct RootSpec {
    pub port: u16,
}
