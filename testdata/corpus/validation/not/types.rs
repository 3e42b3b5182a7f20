//! Rule: `not` is kept where it restricts.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "Not", plural = "nots", namespaced)]
pub struct NotSpec {
    #[schemars(extend("not" = {"enum": ["default"]}))]
    pub name: String,
}
