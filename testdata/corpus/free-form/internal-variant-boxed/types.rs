//! Rule: any JSON in a variant is found behind a pointer, an alias and a parameter.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "free-form.example.com",
    version = "v1",
    kind = "InternalVariantBoxed",
    plural = "internalvariantboxeds",
    namespaced
)]
pub struct InternalVariantBoxedSpec {
    pub boxed: Boxed,
    pub parameter: Parameter<Anything>,
}

pub type Anything = Value;

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Boxed {
    Sized { size: i32 },
    Inline(Box<Anything>),
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "kind")]
pub enum Parameter<T> {
    Sized { size: i32 },
    Inline(T),
}
