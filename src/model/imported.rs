//! A kind whose types came from a definition that was there before.

use serde_json::{Map, Value};

/// The facts about such types that templates cannot see.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// A spec that the API server takes, for tests.
    pub spec: Map<String, Value>,
    /// True if the status has conditions, which a controller can report.
    pub conditions: bool,
    /// True if it has `observedGeneration`, too.
    pub observed_generation: bool,
    /// True if it has further fields.
    pub further_status: bool,
}
