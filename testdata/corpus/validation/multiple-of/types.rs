//! Rule: `multipleOf` is kept.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "MultipleOf", plural = "multipleofs", namespaced)]
pub struct MultipleOfSpec {
    #[schemars(extend("multipleOf" = 5))]
    pub minutes: i32,
}
