//! Rule: `deny_unknown_fields` beside a flattened struct says what pruning does, and is left out.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "flatten.example.com",
    version = "v1",
    kind = "DenyUnknownFields",
    plural = "denyunknownfieldses",
    namespaced
)]
#[schemars(deny_unknown_fields)]
pub struct DenyUnknownFieldsSpec {
    pub own: i32,
    #[serde(flatten)]
    pub common: Common,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Common {
    pub image: String,
}
