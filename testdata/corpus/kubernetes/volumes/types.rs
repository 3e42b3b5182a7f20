//! Rule: volumes and mounts keep their sources.

use k8s_openapi::api::core::v1::{Volume, VolumeMount};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "kubernetes.example.com", version = "v1", kind = "Volumes", plural = "volumeses", namespaced)]
pub struct VolumesSpec {
    pub volumes: Vec<Volume>,
    pub mounts: Vec<VolumeMount>,
}
