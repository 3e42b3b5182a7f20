//! Rule: a custom resource without a schema is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "SchemaDisabled",
    plural = "schemadisableds",
    namespaced,
    schema = "disabled"
)]
pub struct SchemaDisabledSpec {
    pub a: i32,
}
