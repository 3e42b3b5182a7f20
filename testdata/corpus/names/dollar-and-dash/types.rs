//! Rule: a field may have any name that JSON has.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "names.example.com", version = "v1", kind = "DollarAndDash", plural = "dollaranddashes", namespaced)]
pub struct DollarAndDashSpec {
    #[serde(rename = "$schema")]
    pub schema: String,
    #[serde(rename = "x-y/z.w")]
    pub odd: i32,
}
