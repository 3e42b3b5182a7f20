//! Rule: a struct that the user marks keeps the fields that it does not have.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "free-form.example.com",
    version = "v1",
    kind = "PreservedByHand",
    plural = "preservedbyhands",
    namespaced
)]
pub struct PreservedByHandSpec {
    #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
    pub inner: Inner,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Inner {
    pub known: i32,
    #[serde(flatten)]
    pub rest: std::collections::BTreeMap<String, serde_json::Value>,
}
