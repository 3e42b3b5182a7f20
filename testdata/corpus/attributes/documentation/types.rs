//! Rule: `doc` is the description of the kind.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "Documentation",
    plural = "documentations",
    namespaced,
    doc = "A thing of its own."
)]
/// What is wanted of it.
pub struct DocumentationSpec {
    pub a: i32,
}
