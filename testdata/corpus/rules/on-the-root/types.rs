//! Rule: a rule in `#[kube(validation = ..)]` is about the whole object, its name included.

use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "rules.example.com", version = "v1", kind = "OnTheRoot", plural = "ontheroots", namespaced, validation = ("self.metadata.name.size() <= 15", "the name is too long"))]
pub struct OnTheRootSpec {
    pub a: i32,
}
