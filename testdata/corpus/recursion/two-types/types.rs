//! Rule: a cycle through several types names all of them.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "recursion.example.com", version = "v1", kind = "TwoTypes", plural = "twotypeses", namespaced)]
pub struct TwoTypesSpec {
    pub expression: Expression,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Expression {
    pub not: Option<Box<Term>>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Term {
    pub inner: Box<Expression>,
}
