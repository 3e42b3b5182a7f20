//! The schema of a type as schemars makes it.

use serde_json::{Map, Value};

/// A schema as the shim returns it: the root schema, and the definitions that the root schema refers to.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
pub struct Raw {
    /// The root schema.
    pub schema: Value,
    /// The definitions, by name.
    #[serde(default)]
    pub definitions: Map<String, Value>,
}
