//! Rule: Kubernetes' Time is a date-time.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "times.example.com", version = "v1", kind = "Kubernetes", plural = "kuberneteses", namespaced)]
pub struct KubernetesSpec {
    pub at: Time,
}
