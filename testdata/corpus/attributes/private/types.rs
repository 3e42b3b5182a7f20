//! Rule: a custom resource that is private is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "attributes.example.com", version = "v1", kind = "Private", plural = "privates", namespaced)]
struct PrivateSpec {
    a: i32,
}
