//! Rule: bytes are base64, checked by the server, where the user says so.

use k8s_openapi::ByteString;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "formats.example.com", version = "v1", kind = "Bytes", plural = "byteses", namespaced)]
pub struct BytesSpec {
    #[schemars(with = "String", extend("format" = "byte"))]
    pub certificate: ByteString,
}
