//! Rule: annotations and labels are those of the definition.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "Metadata",
    plural = "metadatas",
    namespaced,
    annotation("example.com/team", "a"),
    label("example.com/tier", "b")
)]
pub struct MetadataSpec {
    pub a: i32,
}
