//! Rule: `allOf` of restrictions restricts by all of them.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "AllOf", plural = "allofs", namespaced)]
pub struct AllOfSpec {
    #[schemars(extend("allOf" = [{"pattern": "^a"}, {"pattern": "z$"}]))]
    pub word: String,
}
