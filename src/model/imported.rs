//! A kind whose types were generated from an existing CRD.

use serde_json::{Map, Value};

/// The facts about imported types that templates cannot see.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Imported {
    /// A spec that the API server accepts, for tests. Without a spec, the fields at the root of an object.
    pub spec: Map<String, Value>,
    /// True if the fields stand at the root of an object: its schema has none below `spec`, or others beside it.
    pub no_spec: bool,
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
