//! Rule: a hand-written list without items is refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "findings.example.com",
    version = "v1",
    kind = "ListOfUnknownItems",
    plural = "listofunknownitemses",
    namespaced
)]
pub struct ListOfUnknownItemsSpec {
    #[schemars(schema_with = "list")]
    pub names: Vec<String>,
}

fn list(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "array"})
}
