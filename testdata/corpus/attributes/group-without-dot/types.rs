//! Rule: a group without a dot is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example", version = "v1", kind = "GroupWithoutDot", plural = "groupwithoutdots", namespaced)]
pub struct GroupWithoutDotSpec {
    pub a: i32,
}
