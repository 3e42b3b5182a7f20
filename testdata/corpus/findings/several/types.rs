//! Rule: everything that is wrong with a type is said in one run.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "findings.example.com",
    version = "v1",
    kind = "Several",
    plural = "severals",
    namespaced,
    shortname = "S",
    printcolumn(name = "A", type_ = "text", json_path = ".spec.pair")
)]
pub struct SeveralSpec {
    pub pair: (String, i32),
    pub unit: (),
    pub list: Vec<Either>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Either {
    Flag(bool),
    Many(Vec<String>),
}
