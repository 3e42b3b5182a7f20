//! Rule: an Option that serde writes as null is nullable, and the null is kept.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "options.example.com", version = "v1", kind = "WrittenAsNull", plural = "writtenasnulls", namespaced)]
pub struct WrittenAsNullSpec {
    pub text: Option<String>,
}
