//! Rule: a group of Kubernetes without an approval is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "refused.k8s.io", version = "v1", kind = "ApprovalMissing", plural = "approvalmissings", namespaced)]
pub struct ApprovalMissingSpec {
    pub a: i32,
}
