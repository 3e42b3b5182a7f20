//! Rule: `deny_unknown_fields` says what pruning does, and is left out.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "structs.example.com",
    version = "v1",
    kind = "DenyUnknownFields",
    plural = "denyunknownfieldses",
    namespaced
)]
pub struct DenyUnknownFieldsSpec {
    pub inner: Inner,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Inner {
    pub a: i32,
}
