//! Rule: a Result is an externally tagged enum of Ok and Err.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "enums.example.com", version = "v1", kind = "OkOrErr", plural = "okorerrs", namespaced)]
pub struct OkOrErrSpec {
    pub last: Result<u32, String>,
}
