//! Rule: rights in a spec keep their lists.

use k8s_openapi::api::rbac::v1::PolicyRule as Right;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "kubernetes.example.com", version = "v1", kind = "PolicyRule", plural = "policyrules", namespaced)]
pub struct PolicyRuleSpec {
    pub rules: Vec<Right>,
}
