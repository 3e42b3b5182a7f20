//! Rule: without `namespaced` the scope is Cluster.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "attributes.example.com", version = "v1", kind = "Cluster", plural = "clusters")]
pub struct ClusterSpec {
    pub a: i32,
}
