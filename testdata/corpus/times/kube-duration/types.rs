//! Rule: kube's Duration is a string, as in Go.

use kube::CustomResource;
use kube::core::Duration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "times.example.com", version = "v1", kind = "KubeDuration", plural = "kubedurations", namespaced)]
pub struct KubeDurationSpec {
    pub timeout: Duration,
}
