//! Rule: a generic type has the schema of each of its instances.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "structs.example.com", version = "v1", kind = "Generic", plural = "generics", namespaced)]
pub struct GenericSpec {
    pub number: Choice<i32>,
    pub text: Choice<String>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Choice<T> {
    pub value: T,
    pub others: Vec<T>,
}
