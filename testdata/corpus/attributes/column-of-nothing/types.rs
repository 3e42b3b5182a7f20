//! Rule: a printer column of a field that is not there is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "ColumnOfNothing",
    plural = "columnofnothings",
    namespaced,
    printcolumn(name = "A", type_ = "integer", json_path = ".spec.b")
)]
pub struct ColumnOfNothingSpec {
    pub a: i32,
}
