//! Rule: a list may be atomic.

use kube::core::ListMerge;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "merge.example.com", version = "v1", kind = "ListAtomic", plural = "listatomics", namespaced)]
pub struct ListAtomicSpec {
    #[x_kube(merge_strategy = ListMerge::Atomic)]
    pub args: Vec<String>,
}
