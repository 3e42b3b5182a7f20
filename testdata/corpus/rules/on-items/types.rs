//! Rule: a rule of a type holds for each item of a list of it.

use kube::CustomResource;
use kube::KubeSchema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "rules.example.com", version = "v1", kind = "OnItems", plural = "onitemses", namespaced)]
pub struct OnItemsSpec {
    #[schemars(length(max = 10))]
    pub ports: Vec<Port>,
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug)]
pub struct Port {
    #[x_kube(validation = ("self != 22", "22 is taken"))]
    pub number: u16,
}
