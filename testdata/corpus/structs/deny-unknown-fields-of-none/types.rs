//! Rule: `deny_unknown_fields` on a struct without fields makes no `additionalProperties`.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "structs.example.com",
    version = "v1",
    kind = "DenyUnknownFieldsOfNone",
    plural = "denyunknownfieldsofnones",
    namespaced
)]
pub struct DenyUnknownFieldsOfNoneSpec {
    pub inner: Inner,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Inner {}
