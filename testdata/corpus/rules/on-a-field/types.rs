//! Rule: a rule on a field is about its value.

use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "rules.example.com", version = "v1", kind = "OnAField", plural = "onafields", namespaced)]
pub struct OnAFieldSpec {
    #[x_kube(validation = "self != 'root'")]
    pub user: String,
}
