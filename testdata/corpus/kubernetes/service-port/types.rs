//! Rule: a ServicePort keeps its target, of either type.

use k8s_openapi::api::core::v1::ServicePort as Port;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "kubernetes.example.com", version = "v1", kind = "ServicePort", plural = "serviceports", namespaced)]
pub struct ServicePortSpec {
    pub ports: Vec<Port>,
}
