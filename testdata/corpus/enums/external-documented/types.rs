//! Rule: the documentation of a variant with data is that of its field.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "ExternalDocumented",
    plural = "externaldocumenteds",
    namespaced
)]
pub struct ExternalDocumentedSpec {
    pub source: Source,
}

/// Where it comes from.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub enum Source {
    /// A repository.
    Git {
        /// Its address.
        url: String,
    },
    /// An image.
    Image(String),
}
