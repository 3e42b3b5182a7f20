//! Rule: without `doc` the kind is described by the struct's documentation, not by kube's sentence.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "DocumentationOfSpec",
    plural = "documentationofspecs",
    namespaced
)]
/// Something that has an a.
///
/// And more of it.
pub struct DocumentationOfSpecSpec {
    /// The a,
    /// over two lines.
    pub a: i32,
}
