//! Rule: a null in a default stays where it hides the default of its own field.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "contracts.example.com",
    version = "v1",
    kind = "NullHidesDefault",
    plural = "nullhidesdefaults",
    namespaced
)]
pub struct NullHidesDefaultSpec {
    #[serde(default)]
    pub limits: Limits,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct Limits {
    pub low: Option<i32>,
    #[serde(default = "five")]
    pub high: Option<i32>,
}

fn five() -> Option<i32> {
    Some(5)
}
