//! The types of this version have the names of those of v1, with one mistake each.

use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1alpha1", kind = "Fields", plural = "fields", storage = false)]
#[kube(served = false)]
pub struct FieldsSpec {
    pub part: Part,
    pub shared: crate::parts::Shared,
    pub many: crate::parts::Many<crate::parts::Part>,
    #[serde(flatten)]
    pub limits: crate::parts::Limits,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Part {
    pub size: i32,
    #[schemars(schema_with = "crate::parts::never")]
    pub never: String, //~ OP110
}

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1alpha1", kind = "Circle")]
pub struct CircleSpec {
    pub tree: Tree,
}

#[derive(Serialize, Deserialize, KubeSchema, Clone, Debug)]
pub struct Tree {
    pub children: Vec<Tree>, //~ OP101
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1alpha1", kind = "Unstored", storage = false)] //~ OP216
pub struct UnstoredSpec {}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1alpha1", kind = "Stored")]
pub struct StoredSpec {} //~ OP217

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1alpha1", kind = "Scoped", namespaced)] //~ OP215
pub struct ScopedSpec {}
