//! Rule: `externalDocs` is kept.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "validation.example.com",
    version = "v1",
    kind = "ExternalDocumentation",
    plural = "externaldocumentations",
    namespaced
)]
pub struct ExternalDocumentationSpec {
    #[schemars(extend("externalDocs" = {"url": "https://example.com", "description": "More."}))]
    pub size: i32,
}
