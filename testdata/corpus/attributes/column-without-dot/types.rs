//! Rule: a printer column's path begins with a dot.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "ColumnWithoutDot",
    plural = "columnwithoutdots",
    namespaced,
    printcolumn(name = "A", type_ = "integer", json_path = "spec.a")
)]
pub struct ColumnWithoutDotSpec {
    pub a: i32,
}
