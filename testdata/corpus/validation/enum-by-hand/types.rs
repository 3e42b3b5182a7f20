//! Rule: values that the user lists are an enum of their type.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "EnumByHand", plural = "enumbyhands", namespaced)]
pub struct EnumByHandSpec {
    #[schemars(extend("enum" = ["a", "b"]))]
    pub letter: String,
}
