//! Rule: a printer column of a type that the server does not know is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "ColumnOfUnknownType",
    plural = "columnofunknowntypes",
    namespaced,
    printcolumn(name = "A", type_ = "int", json_path = ".spec.a")
)]
pub struct ColumnOfUnknownTypeSpec {
    pub a: i32,
}
