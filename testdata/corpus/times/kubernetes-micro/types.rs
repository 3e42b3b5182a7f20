//! Rule: Kubernetes' MicroTime is a date-time.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "times.example.com", version = "v1", kind = "KubernetesMicro", plural = "kubernetesmicros", namespaced)]
pub struct KubernetesMicroSpec {
    pub renewed: MicroTime,
}
