//! Rule: `extend` gives the server a default that serde does not know of.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "defaults.example.com", version = "v1", kind = "SchemaOnly", plural = "schemaonlys", namespaced)]
pub struct SchemaOnlySpec {
    #[schemars(extend("default" = 5))]
    pub size: i32,
}
