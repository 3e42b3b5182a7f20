//! The schema of a type as schemars generates it.

use serde_json::{Map, Value};

/// A schema that schemars generated: the root schema, and the definitions that the root schema refers to.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
pub struct Raw {
    /// The root schema as schemars has generated it.
    pub schema: Value,
    /// The definitions that the root schema refers to with `$ref`, by name.
    #[serde(default)]
    pub definitions: Map<String, Value>,
}
