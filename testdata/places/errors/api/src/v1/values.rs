use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use kube::core::Rule;

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Values", plural = "values")]
pub struct ValuesSpec {
    pub part: Part,
    #[x_kube(validation = "self = 1")]
    pub syntax: i32, //~ OP501
    #[x_kube(validation = "other == 1")]
    pub variable: i32, //~ OP503
    #[x_kube(validation = ("self == 1", "two\nlines"))]
    pub message: i32, //~ OP506 OP551
    pub old: Vec<Item>, //~ OP504
}

#[derive(Serialize, Deserialize, KubeSchema, Clone, Debug)]
#[x_kube(validation = "self.size == oldSelf.size")]
pub struct Item {
    pub size: i32,
}

#[derive(Serialize, Deserialize, KubeSchema, Clone, Debug)]
#[x_kube(validation = Rule::new("self.name == 'a'").field_path(".size"))]
pub struct Inner {
    pub name: String,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Part {
    #[schemars(regex(pattern = "(?=a)"))]
    pub pattern: String, //~ OP114
    #[schemars(extend("default" = "three"))]
    pub default: i32, //~ OP115
    #[schemars(extend("x-kubernetes-validations" = [{"rule": "self.sise == 1"}]))]
    pub undefined: Other, //~ OP502
    pub inner: Inner, //~ OP505
    #[schemars(extend("default" = "a\u{7f}"))]
    pub character: String, //~ OP126
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Other {
    pub size: i32,
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Contract", plural = "contracts")]
pub struct ContractSpec {
    #[serde(rename(serialize = "written", deserialize = "read"))]
    pub one_way: i32, //~ OP118
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>, //~ OP119
    pub phase: Phase, //~ OP120
    pub mode: Option<Mode>, //~ OP152
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Phase {
    #[serde(rename(serialize = "ready", deserialize = "Ready"))]
    Ready,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Mode {
    On,
}
