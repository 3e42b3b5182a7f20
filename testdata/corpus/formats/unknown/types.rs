//! Rule: a format that the server does not know is left out.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "formats.example.com", version = "v1", kind = "Unknown", plural = "unknowns", namespaced)]
pub struct UnknownSpec {
    #[schemars(extend("format" = "k8s-short-name"))]
    pub name: String,
}
