//! Rule: a list may be a map by some of its items' fields.

use kube::core::ListMerge;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "merge.example.com", version = "v1", kind = "ListMap", plural = "listmaps", namespaced)]
pub struct ListMapSpec {
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into()]))]
    pub ports: Vec<Port>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Port {
    pub name: String,
    pub number: u16,
}
