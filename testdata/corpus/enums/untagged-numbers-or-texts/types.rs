//! Rule: several kinds of numbers and strings that share a field keep what restricts each of them.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "UntaggedNumbersOrTexts",
    plural = "untaggednumbersortextss",
    namespaced
)]
pub struct UntaggedNumbersOrTextsSpec {
    pub size: Size,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Size {
    Small(#[schemars(range(max = 9))] u8),
    Hundreds(#[schemars(extend("multipleOf" = 100))] u32),
    Percent(#[schemars(regex(pattern = "^[0-9]+%$"))] String),
    Name(#[schemars(length(max = 3))] String),
}
