//! Rule: a selectable field's path begins with a dot, unlike in kube's own example.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "SelectableWithoutDot",
    plural = "selectablewithoutdots",
    namespaced,
    selectable = "spec.a"
)]
pub struct SelectableWithoutDotSpec {
    pub a: i32,
}
