//! Rule: a PodTemplateSpec is described to its depth, and keeps all of a pod.

use k8s_openapi::api::core::v1::PodTemplateSpec as Template;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "kubernetes.example.com", version = "v1", kind = "PodTemplate", plural = "podtemplates", namespaced)]
pub struct PodTemplateSpec {
    pub template: Template,
}
