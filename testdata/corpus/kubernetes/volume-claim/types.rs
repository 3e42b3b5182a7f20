//! Rule: a PersistentVolumeClaimSpec keeps what is asked for.

use k8s_openapi::api::core::v1::PersistentVolumeClaimSpec as Claim;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "kubernetes.example.com", version = "v1", kind = "VolumeClaim", plural = "volumeclaims", namespaced)]
pub struct VolumeClaimSpec {
    pub storage: Claim,
}
