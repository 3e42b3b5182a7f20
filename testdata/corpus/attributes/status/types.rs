//! Rule: `status` is a subresource with the type's own schema.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "Status",
    plural = "statuses",
    namespaced,
    status = "Observed"
)]
pub struct StatusSpec {
    pub a: i32,
}

/// What is.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Observed {
    pub phase: String,
}
