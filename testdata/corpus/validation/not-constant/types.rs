//! Rule: a constant within `not` is an enum of one.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "NotConstant", plural = "notconstants", namespaced)]
pub struct NotConstantSpec {
    #[schemars(extend("not" = {"const": "default"}))]
    pub name: String,
}
