//! Rule: an address of either family has no format that the server knows.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "formats.example.com", version = "v1", kind = "AnyAddress", plural = "anyaddresses", namespaced)]
pub struct AnyAddressSpec {
    pub address: IpAddr,
}
