//! Rule: a Vec of bytes is a list of small numbers.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "formats.example.com", version = "v1", kind = "ByteList", plural = "bytelists", namespaced)]
pub struct ByteListSpec {
    pub bytes: Vec<u8>,
}
