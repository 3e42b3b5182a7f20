//! Rule: an Option of a struct that is written as null is nullable, with the documentation of the field.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "options.example.com", version = "v1", kind = "OfStructure", plural = "ofstructures", namespaced)]
pub struct OfStructureSpec {
    /// How it is reached.
    pub probe: Option<Probe>,
    pub other: Option<Probe>,
}

/// A way to ask.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Probe {
    pub path: String,
}
