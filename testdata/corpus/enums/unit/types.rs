//! Rule: variants without data are an enum of their names, in the order of the type.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "Unit", plural = "units", namespaced)]
pub struct UnitSpec {
    pub mode: Mode,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Mode {
    Slow,
    Fast,
    Careful,
}
