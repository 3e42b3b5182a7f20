//! Rule: a rule on the spec's struct is about the spec.

use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "rules.example.com", version = "v1", kind = "OnTheSpec", plural = "onthespecs", namespaced)]
#[x_kube(validation = ("has(self.a) != has(self.b)", "exactly one of the fields in [a b] must be set"))]
pub struct OnTheSpecSpec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b: Option<String>,
}
