//! Rule: a map may be atomic.

use kube::core::MapMerge;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "merge.example.com", version = "v1", kind = "MapAtomic", plural = "mapatomics", namespaced)]
pub struct MapAtomicSpec {
    #[x_kube(merge_strategy = MapMerge::Atomic)]
    pub selector: BTreeMap<String, String>,
}
