//! Rule: a cycle through an enum is spelled out.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "recursion.example.com", version = "v1", kind = "ThroughAnEnum", plural = "throughanenums", namespaced)]
pub struct ThroughAnEnumSpec {
    pub filter: Filter,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub enum Filter {
    Not(Box<Filter>),
    Equals { field: String },
}
