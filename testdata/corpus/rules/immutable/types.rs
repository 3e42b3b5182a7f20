//! Rule: a rule may compare with the value before.

use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "rules.example.com", version = "v1", kind = "Immutable", plural = "immutables", namespaced)]
pub struct ImmutableSpec {
    #[x_kube(validation = ("self == oldSelf", "field is immutable"))]
    pub class: String,
}
