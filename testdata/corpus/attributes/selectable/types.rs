//! Rule: a selectable field is one of `selectableFields`.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "Selectable",
    plural = "selectables",
    namespaced,
    selectable = ".spec.color",
    selectable = ".spec.size"
)]
pub struct SelectableSpec {
    pub color: String,
    pub size: i32,
}
