//! Rule: a struct may be atomic, like a map.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "merge.example.com", version = "v1", kind = "StructureAtomic", plural = "structureatomics", namespaced)]
pub struct StructureAtomicSpec {
    #[schemars(extend("x-kubernetes-map-type" = "atomic"))]
    pub reference: Reference,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Reference {
    pub name: String,
}
