//! Rule: garde's attributes are restrictions where JsonSchema is derived.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "Garde", plural = "gardes", namespaced)]
pub struct GardeSpec {
    #[garde(length(min = 2), pattern("^[a-z]+$"))]
    pub name: String,
    #[garde(range(max = 5))]
    pub size: i32,
}
