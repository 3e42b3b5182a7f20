//! Rule: a RawExtension is an object of any fields, all kept.

use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "free-form.example.com", version = "v1", kind = "RawObject", plural = "rawobjects", namespaced)]
pub struct RawObjectSpec {
    pub parameters: RawExtension,
}
