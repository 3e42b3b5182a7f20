//! Rule: a newtype is what it wraps, under the field's name.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "structs.example.com", version = "v1", kind = "Newtype", plural = "newtypes", namespaced)]
pub struct NewtypeSpec {
    pub name: Name,
}

/// The name of a thing.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Name(#[schemars(length(min = 1, max = 5))] pub String);
