//! Rule: a flattened Option of a struct lends its fields, and requires none.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "flatten.example.com",
    version = "v1",
    kind = "OptionalStructure",
    plural = "optionalstructures",
    namespaced
)]
pub struct OptionalStructureSpec {
    pub own: i32,
    #[serde(flatten)]
    pub common: Option<Common>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Common {
    pub image: String,
}
