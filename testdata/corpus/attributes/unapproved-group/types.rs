//! Rule: a group of Kubernetes needs an approval, and an annotation that says there is none is one.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "corpus.k8s.io", version = "v1", kind = "UnapprovedGroup", plural = "unapprovedgroups", namespaced)]
#[kube(annotation("api-approved.kubernetes.io", "unapproved, request not yet submitted"))]
pub struct UnapprovedGroupSpec {
    pub a: i32,
}
