//! Rule: security contexts keep their fields.

use k8s_openapi::api::core::v1::{PodSecurityContext, SecurityContext};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "kubernetes.example.com", version = "v1", kind = "Security", plural = "securitys", namespaced)]
pub struct SecuritySpec {
    pub pod: PodSecurityContext,
    pub container: SecurityContext,
}
