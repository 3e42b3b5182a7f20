//! Rule: a socket address is a string.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "formats.example.com", version = "v1", kind = "SocketAddress", plural = "socketaddresses", namespaced)]
pub struct SocketAddressSpec {
    pub listen: SocketAddr,
}
