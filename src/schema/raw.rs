//! The schema of a type as schemars makes it.

use serde_json::{Map, Value};

/// A schema as the shim gives it: the root and the definitions it refers to.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
pub struct Raw {
    /// The root.
    pub schema: Value,
    /// By name.
    #[serde(default)]
    pub definitions: Map<String, Value>,
}
