use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1alpha1", kind = "Disk", storage = false)]
pub struct DiskSpec {
    pub part: Part,
    pub ruled: crate::parts::Ruled, //~ OP552
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Part {
    pub size: i32, //~ OP513
    pub color: Option<String>,
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1alpha1", kind = "Pool", namespaced, storage = false)]
#[kube(served = false)] //~ OP605
pub struct PoolSpec {
    pub lost: Option<String>,
}
