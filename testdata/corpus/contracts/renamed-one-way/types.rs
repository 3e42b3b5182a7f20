//! Rule: a field with a name for writing and another for reading is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "contracts.example.com", version = "v1", kind = "RenamedOneWay", plural = "renamedoneways", namespaced)]
pub struct RenamedOneWaySpec {
    #[serde(rename(serialize = "maximum", deserialize = "max"))]
    pub max: i32,
}
