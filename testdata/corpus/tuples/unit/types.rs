//! Rule: a unit has only null for a value, and is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "tuples.example.com", version = "v1", kind = "Unit", plural = "units", namespaced)]
pub struct UnitSpec {
    pub nothing: (),
}
