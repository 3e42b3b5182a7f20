//! Rule: an allowance of what is not found is a warning.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "findings.example.com",
    version = "v1",
    kind = "AllowedWithoutNeed",
    plural = "allowedwithoutneeds",
    namespaced
)]
pub struct AllowedWithoutNeedSpec {
    // +opctl:allow:OP151 reason="it was"
    pub names: Vec<String>,
}
