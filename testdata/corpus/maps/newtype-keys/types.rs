//! Rule: keys of a newtype of a string are strings.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "maps.example.com", version = "v1", kind = "NewtypeKeys", plural = "newtypekeyses", namespaced)]
pub struct NewtypeKeysSpec {
    pub hosts: BTreeMap<Host, i32>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Host(String);
