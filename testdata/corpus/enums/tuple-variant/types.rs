//! Rule: a tuple variant of different types is a tuple, and refused.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "TupleVariant", plural = "tuplevariants", namespaced)]
pub struct TupleVariantSpec {
    pub source: Source,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Source {
    Pair(String, i32),
    Name { name: String },
}
