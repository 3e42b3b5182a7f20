//! Rule: a short name in upper case is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "UpperCaseShortName",
    plural = "uppercaseshortnames",
    namespaced,
    shortname = "UC"
)]
pub struct UpperCaseShortNameSpec {
    pub a: i32,
}
