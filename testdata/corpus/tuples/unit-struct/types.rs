//! Rule: a unit struct is null, and refused by its name.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "tuples.example.com", version = "v1", kind = "UnitStruct", plural = "unitstructs", namespaced)]
pub struct UnitStructSpec {
    pub marker: Marker,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Marker;
