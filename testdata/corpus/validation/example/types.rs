//! Rule: the first example is the example.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "Example", plural = "examples", namespaced)]
pub struct ExampleSpec {
    #[schemars(example = 5, example = 6)]
    pub size: i32,
}
