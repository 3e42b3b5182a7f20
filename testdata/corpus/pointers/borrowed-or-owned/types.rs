//! Rule: a Cow is what it holds.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "pointers.example.com",
    version = "v1",
    kind = "BorrowedOrOwned",
    plural = "borrowedorowneds",
    namespaced
)]
pub struct BorrowedOrOwnedSpec {
    pub text: Cow<'static, str>,
}
