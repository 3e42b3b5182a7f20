//! Rule: an object cannot be selected by.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "SelectableObject",
    plural = "selectableobjects",
    namespaced,
    selectable = ".spec.inner"
)]
pub struct SelectableObjectSpec {
    pub inner: Inner,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Inner {
    pub a: i32,
}
