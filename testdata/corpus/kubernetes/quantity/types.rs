//! Rule: a Quantity is a number or a string of a number and a unit.

use k8s_openapi::apimachinery::pkg::api::resource::Quantity as Amount;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "kubernetes.example.com", version = "v1", kind = "Quantity", plural = "quantitys", namespaced)]
pub struct QuantitySpec {
    pub size: Amount,
}
