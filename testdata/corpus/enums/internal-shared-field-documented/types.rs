//! Rule: a field that several variants document differently is still one field.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "InternalSharedFieldDocumented",
    plural = "internalsharedfielddocumenteds",
    namespaced
)]
pub struct InternalSharedFieldDocumentedSpec {
    pub probe: Probe,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Probe {
    Http {
        /// Where the server listens.
        port: u16,
    },
    Tcp {
        /// Where to connect to.
        port: u16,
    },
}
