//! Rule: a list may be a set, whose items the server keeps from coming twice.

use kube::core::ListMerge;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "merge.example.com", version = "v1", kind = "ListSet", plural = "listsets", namespaced)]
pub struct ListSetSpec {
    #[x_kube(merge_strategy = ListMerge::Set)]
    pub zones: Vec<String>,
}
