//! Rule: an OwnerReference keeps its fields.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference as Owner;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "kubernetes.example.com",
    version = "v1",
    kind = "OwnerReference",
    plural = "ownerreferences",
    namespaced
)]
pub struct OwnerReferenceSpec {
    pub owners: Vec<Owner>,
}
