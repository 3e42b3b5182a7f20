//! Rule: a default that its field's own bounds forbid is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "defaults.example.com", version = "v1", kind = "OutOfRange", plural = "outofranges", namespaced)]
pub struct OutOfRangeSpec {
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub size: i32,
}
