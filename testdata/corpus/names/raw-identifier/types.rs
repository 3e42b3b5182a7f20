//! Rule: a raw identifier is named without its `r#`.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "names.example.com", version = "v1", kind = "RawIdentifier", plural = "rawidentifiers", namespaced)]
pub struct RawIdentifierSpec {
    pub r#ref: String,
    pub r#match: bool,
}
