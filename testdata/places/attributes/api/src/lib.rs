use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Foo")]
pub struct FooSpec {
    pub mode: Mode,
    #[garde(length(min = 1))] //~ OP507
    pub name: String,
}

#[derive(Serialize, Deserialize, KubeSchema, Clone, Debug)]
pub enum Mode { //~ OP510
    On,
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", kind = "Unversioned")] //~ OP201
pub struct UnversionedSpec {}
