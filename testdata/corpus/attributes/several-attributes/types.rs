//! Rule: what several `#[kube(..)]` say adds up.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "attributes.example.com", version = "v1")]
#[kube(kind = "SeveralAttributes")]
#[kube(plural = "severalattributes", namespaced)]
#[kube(shortname = "sa")]
pub struct SeveralAttributesSpec {
    pub a: i32,
}
