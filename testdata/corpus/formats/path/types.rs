//! Rule: a PathBuf is a string.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "formats.example.com", version = "v1", kind = "Path", plural = "pathes", namespaced)]
pub struct PathSpec {
    pub path: PathBuf,
}
