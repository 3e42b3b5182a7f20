//! Rule: environment variables keep where their values come from.

use k8s_openapi::api::core::v1::{EnvFromSource, EnvVar};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "kubernetes.example.com", version = "v1", kind = "Environment", plural = "environments", namespaced)]
pub struct EnvironmentSpec {
    pub env: Vec<EnvVar>,
    pub from: Vec<EnvFromSource>,
}
