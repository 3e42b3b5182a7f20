//! Rule: a printer column of another type than its field's is a warning.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "ColumnOfAnotherType",
    plural = "columnofanothertypes",
    namespaced,
    printcolumn(name = "A", type_ = "string", json_path = ".spec.a")
)]
pub struct ColumnOfAnotherTypeSpec {
    pub a: bool,
}
