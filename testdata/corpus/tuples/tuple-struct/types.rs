//! Rule: a tuple struct of different types is refused by its name.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "tuples.example.com", version = "v1", kind = "TupleStruct", plural = "tuplestructs", namespaced)]
pub struct TupleStructSpec {
    pub pair: Pair,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Pair(pub String, pub i32);
