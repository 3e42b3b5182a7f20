//! Rule: addresses of one family have their format.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::net::{Ipv4Addr, Ipv6Addr};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "formats.example.com", version = "v1", kind = "Addresses", plural = "addresseses", namespaced)]
pub struct AddressesSpec {
    pub four: Ipv4Addr,
    pub six: Ipv6Addr,
}
