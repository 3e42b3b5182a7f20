//! Rule: a type that is used twice is described at each place, with the documentation of its field.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "structs.example.com", version = "v1", kind = "Reused", plural = "reuseds", namespaced)]
pub struct ReusedSpec {
    /// Where it comes from.
    pub from: Point,
    pub to: Point,
}

/// A place on a map.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Point {
    /// To the right.
    pub x: i32,
    pub y: i32,
}
