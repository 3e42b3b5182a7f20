use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Disk")]
pub struct DiskSpec {
    pub part: Part,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Part {
    pub size: Option<String>,
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Pool")]
#[kube(namespaced)] //~ OP602
#[kube(storage = true)] //~ OP606
pub struct PoolSpec { //~ OP603 OP604 OP607 OP611 OP620
    pub part: Part,
    #[schemars(extend("default" = 2))]
    pub defaulted: i32, //~ OP617
    pub combined: Combined, //~ OP619
    pub kept: Kept, //~ OP618
    pub limits: crate::parts::Limits,
    pub list: Vec<String>, //~ OP616
    pub null: u16, //~ OP615
    pub required: String, //~ OP612
    pub retyped: String, //~ OP614
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Kept {}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Combined {
    Small { a: u8 },
    Large { b: u8 },
}
