//! Rule: `scale` names the fields of replicas and selector.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "Scale",
    plural = "scales",
    namespaced,
    status = "Observed",
    scale(
        spec_replicas_path = ".spec.replicas",
        status_replicas_path = ".status.replicas",
        label_selector_path = ".status.selector"
    )
)]
pub struct ScaleSpec {
    pub replicas: i32,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Observed {
    pub replicas: i32,
    pub selector: String,
}
