//! Rule: a field has the name that serde gives it.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "names.example.com", version = "v1", kind = "Renamed", plural = "renameds", namespaced)]
pub struct RenamedSpec {
    #[serde(rename = "podIP")]
    pub pod_ip: String,
}
