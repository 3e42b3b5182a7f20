//! Rule: a field that serde skips is no field of the definition.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "names.example.com", version = "v1", kind = "Skipped", plural = "skippeds", namespaced)]
pub struct SkippedSpec {
    pub shown: i32,
    #[serde(skip)]
    pub hidden: i32,
}
