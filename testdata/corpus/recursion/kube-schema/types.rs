//! Rule: a type that derives KubeSchema and contains itself is refused with its cycle spelled out.

use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "recursion.example.com",
    version = "v1",
    kind = "KubeTree",
    plural = "kubetrees",
    namespaced
)]
pub struct KubeTreeSpec {
    pub tree: Tree,
    pub table: BTreeMap<String, Tree>,
}

#[derive(Serialize, Deserialize, KubeSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Tree {
    pub name: String,
    #[serde(default)]
    pub own_children: Vec<Tree>,
    pub next: Option<Box<Tree>>,
    pub by_name: BTreeMap<String, Tree>,
}
