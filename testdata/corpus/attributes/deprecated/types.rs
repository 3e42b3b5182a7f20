//! Rule: a deprecated version warns whoever uses it.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "Deprecated",
    plural = "deprecateds",
    namespaced,
    deprecated
)]
pub struct DeprecatedSpec {
    pub a: i32,
}
