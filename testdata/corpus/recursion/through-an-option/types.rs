//! Rule: a cycle through an Option of a Box is found in both directions.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "recursion.example.com",
    version = "v1",
    kind = "ThroughAnOption",
    plural = "throughanoptions",
    namespaced
)]
pub struct ThroughAnOptionSpec {
    pub first: Link,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Link {
    pub next: Option<Box<Link>>,
    pub previous: Option<Box<Link>>,
}
