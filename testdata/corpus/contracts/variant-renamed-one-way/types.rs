//! Rule: a variant with a name for writing and another for reading is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "contracts.example.com",
    version = "v1",
    kind = "VariantRenamedOneWay",
    plural = "variantrenamedoneways",
    namespaced
)]
pub struct VariantRenamedOneWaySpec {
    pub phase: Phase,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Phase {
    #[serde(rename(serialize = "ready", deserialize = "Ready"))]
    Ready,
    Failed,
}
