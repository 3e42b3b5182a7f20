//! Rule: an int-or-string that may also be something else is of several types, and refused.

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "UntaggedNumberTextOrFlag",
    plural = "untaggednumbertextorflags",
    namespaced
)]
pub struct UntaggedNumberTextOrFlagSpec {
    pub value: Scalar,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Scalar {
    Port(IntOrString),
    Flag(bool),
}
