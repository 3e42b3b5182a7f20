//! Rule: a LabelSelector keeps its labels and expressions.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector as Selector;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "kubernetes.example.com", version = "v1", kind = "LabelSelector", plural = "labelselectors", namespaced)]
pub struct LabelSelectorSpec {
    pub selector: Selector,
}
