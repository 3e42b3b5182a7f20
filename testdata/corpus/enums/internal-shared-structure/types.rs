//! Rule: a field that differs in the documentation of what is below it is one field.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "InternalSharedStructure",
    plural = "internalsharedstructures",
    namespaced
)]
pub struct InternalSharedStructureSpec {
    pub check: Check,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Check {
    Http { target: HttpTarget },
    Tcp { target: TcpTarget },
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct HttpTarget {
    /// Where it answers.
    pub port: u16,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct TcpTarget {
    /// Where it listens.
    pub port: u16,
}
