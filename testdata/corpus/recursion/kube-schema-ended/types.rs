//! Rule: a type that derives KubeSchema may contain itself where the user gives a schema.

use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "recursion.example.com",
    version = "v1",
    kind = "KubeEnded",
    plural = "kubeendeds",
    namespaced
)]
pub struct KubeEndedSpec {
    pub tree: Tree,
}

#[derive(Serialize, Deserialize, KubeSchema, Clone, Debug)]
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
