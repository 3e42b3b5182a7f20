//! Rule: an enum gets its rules by `extend`.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "rules.example.com", version = "v1", kind = "OnAnEnum", plural = "onanenums", namespaced)]
pub struct OnAnEnumSpec {
    pub mode: Mode,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(extend("x-kubernetes-validations" = [{"rule": "self != 'Old'", "message": "Old is gone"}]))]
pub enum Mode {
    Old,
    New,
}
