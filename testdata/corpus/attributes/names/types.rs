//! Rule: singular, short names and categories are those that are said.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "Names",
    plural = "nameses",
    namespaced,
    singular = "one",
    shortname = "n",
    shortname = "nm",
    category = "all",
    category = "examples"
)]
pub struct NamesSpec {
    pub a: i32,
}
