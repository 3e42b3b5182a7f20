//! Rule: Kubernetes' own JSON keeps what it is given.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSON;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "kubernetes.example.com", version = "v1", kind = "AnyJson", plural = "anyjsons", namespaced)]
pub struct AnyJsonSpec {
    pub value: JSON,
}
