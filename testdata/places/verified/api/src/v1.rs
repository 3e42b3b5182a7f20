use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Foo")]
pub struct FooSpec {
    pub shared: Option<String>,
    pub part: Part,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Part {
    pub formatted: crate::parts::Formatted,
}
