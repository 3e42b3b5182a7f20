//! Rule: a status is nullable where the operator writes null.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "options.example.com",
    version = "v1",
    kind = "StatusWrittenAsNull",
    plural = "statuswrittenasnulls",
    namespaced,
    status = "Observed"
)]
pub struct StatusWrittenAsNullSpec {}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Observed {
    pub phase: Option<String>,
    pub count: Option<u32>,
}
