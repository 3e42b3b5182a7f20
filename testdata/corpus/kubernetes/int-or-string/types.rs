//! Rule: an IntOrString is either.

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString as Either;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "kubernetes.example.com", version = "v1", kind = "IntOrString", plural = "intorstrings", namespaced)]
pub struct IntOrStringSpec {
    pub surge: Either,
}
