//! Rule: a Box is what it holds.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "pointers.example.com", version = "v1", kind = "Boxed", plural = "boxeds", namespaced)]
pub struct BoxedSpec {
    pub text: Box<str>,
    pub inner: Box<Inner>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Inner {
    pub number: i32,
}
