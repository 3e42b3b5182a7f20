//! Rule: a recursive field for which the user gives a schema keeps everything below it.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "recursion.example.com", version = "v1", kind = "Preserved", plural = "preserveds", namespaced)]
pub struct PreservedSpec {
    pub tree: Tree,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Tree {
    pub name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "any_trees")]
    pub children: Vec<Tree>,
}

fn any_trees(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": "array",
        "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
    })
}
