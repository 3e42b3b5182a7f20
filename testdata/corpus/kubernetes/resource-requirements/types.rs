//! Rule: requests and limits are maps of quantities.

use k8s_openapi::api::core::v1::ResourceRequirements as Needs;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "kubernetes.example.com",
    version = "v1",
    kind = "ResourceRequirements",
    plural = "resourcerequirementses",
    namespaced
)]
pub struct ResourceRequirementsSpec {
    pub resources: Needs,
}
