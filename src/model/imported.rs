//! A kind whose types were generated from an existing CRD.

use serde_json::{Map, Value};

/// The facts about imported types that templates cannot see.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// A spec that the API server accepts, for tests.
    pub spec: Map<String, Value>,
    /// True if the status has conditions, which a controller can report.
    pub conditions: bool,
    /// True if the status has `observedGeneration`.
    pub observed_generation: bool,
    /// True if the status has further fields.
    pub further_status: bool,
    /// The type of the spec, if another kind has its usual name.
    pub spec_type: Option<String>,
    /// The type of the status, if another kind has its usual name.
    pub status_type: Option<String>,
}
