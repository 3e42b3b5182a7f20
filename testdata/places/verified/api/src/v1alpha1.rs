use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1alpha1", kind = "Bar")]
pub struct BarSpec {
    pub part: Part,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Part {
    pub shared: crate::parts::Shared,
}
