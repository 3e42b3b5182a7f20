//! A kind whose types were generated from an existing CRD.

use serde_json::{Map, Value};

/// The facts about types from an existing CRD that templates need, because templates do not see the types.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Imported {
    /// A spec that the API server accepts, for tests. If `no_spec` is true, the fields at the root of an object.
    pub spec: Map<String, Value>,
    /// True if the fields are at the root of an object: the schema has no fields in `spec`, or fields beside `spec`.
    pub no_spec: bool,
    /// True if the status has conditions that a controller can report.
    pub conditions: bool,
    /// True if the status has the field `observedGeneration`.
    pub observed_generation: bool,
    /// True if the status has fields that the controller does not fill in.
    pub further_status: bool,
    /// The name of the spec's type, if the name is not the kind with the suffix `Spec`.
    pub spec_type: Option<String>,
    /// The name of the status's type, if the name is not the kind with the suffix `Status`.
    pub status_type: Option<String>,
}
