//! Rule: a default that is not of its field's type is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "defaults.example.com", version = "v1", kind = "OfAnotherType", plural = "ofanothertypes", namespaced)]
pub struct OfAnotherTypeSpec {
    #[schemars(extend("default" = "five"))]
    pub size: i32,
}
