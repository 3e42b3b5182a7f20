//! Rule: an enum as an item is made structural in its list.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "InAList", plural = "inalists", namespaced)]
pub struct InAListSpec {
    pub steps: Vec<Step>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub enum Step {
    Run { command: Vec<String> },
    Sleep { seconds: u32 },
}
