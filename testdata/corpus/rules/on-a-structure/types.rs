//! Rule: a rule on a struct is about its fields.

use kube::CustomResource;
use kube::KubeSchema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "rules.example.com", version = "v1", kind = "OnAStructure", plural = "onastructures", namespaced)]
pub struct OnAStructureSpec {
    pub bounds: Bounds,
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[x_kube(validation = ("self.low <= self.high", "low must not be above high"))]
pub struct Bounds {
    pub low: i32,
    pub high: i32,
}
