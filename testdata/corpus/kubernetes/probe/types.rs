//! Rule: a Probe names a port by number or name.

use k8s_openapi::api::core::v1::Probe as Check;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "kubernetes.example.com", version = "v1", kind = "Probe", plural = "probes", namespaced)]
pub struct ProbeSpec {
    pub probe: Check,
}
