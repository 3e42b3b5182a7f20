//! Rule: an Option of an enum that would be written as null, which the server refuses, is found.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "options.example.com",
    version = "v1",
    kind = "OfEnumWrittenAsNull",
    plural = "ofenumwrittenasnulls",
    namespaced
)]
pub struct OfEnumWrittenAsNullSpec {
    pub mode: Option<Mode>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Mode {
    A,
    B,
}
