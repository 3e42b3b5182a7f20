//! Rule: a scale without a status, which kube drops, is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "ScaleWithoutStatus",
    plural = "scalewithoutstatuses",
    namespaced,
    scale(spec_replicas_path = ".spec.a", status_replicas_path = ".status.a")
)]
pub struct ScaleWithoutStatusSpec {
    pub a: i32,
}
