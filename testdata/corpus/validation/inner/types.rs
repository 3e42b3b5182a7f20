//! Rule: `inner` is about the items of a list.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "Inner", plural = "inners", namespaced)]
pub struct InnerSpec {
    #[schemars(inner(length(min = 1), regex(pattern = "^[a-z]*$")))]
    pub names: Vec<String>,
}
