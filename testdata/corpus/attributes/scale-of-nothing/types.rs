//! Rule: a scale of a field that is not there is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "ScaleOfNothing",
    plural = "scaleofnothings",
    namespaced,
    status = "Observed",
    scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.a")
)]
pub struct ScaleOfNothingSpec {
    pub a: i32,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Observed {
    pub a: i32,
}
