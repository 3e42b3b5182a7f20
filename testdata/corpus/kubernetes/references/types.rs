//! Rule: references to objects and keys keep their fields.

use k8s_openapi::api::core::v1::{LocalObjectReference, ObjectReference, SecretKeySelector, TypedLocalObjectReference};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "kubernetes.example.com", version = "v1", kind = "References", plural = "referenceses", namespaced)]
pub struct ReferencesSpec {
    pub secret: SecretKeySelector,
    pub pull: Vec<LocalObjectReference>,
    pub source: TypedLocalObjectReference,
    pub target: ObjectReference,
}
