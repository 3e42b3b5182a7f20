//! A kind whose types were generated from an existing CRD.

use serde_json::{Map, Value};

/// The properties of a kind's Rust types, which opctl generated from an existing CRD. Templates need these properties,
/// and cannot read them from the types.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Imported {
    /// An example of a spec that the API server accepts, for tests. If `no_spec` is true, an example of the fields at
    /// the root of an object.
    pub spec: Map<String, Value>,
    /// True if an object has its fields at the root, not in `spec`: the schema has no `spec` with fields, or also has
    /// other fields beside `spec`.
    pub no_spec: bool,
    /// True if the status has conditions that a controller can report.
    pub conditions: bool,
    /// True if the status has the field `observedGeneration`.
    pub observed_generation: bool,
    /// True if the status has fields that the scaffolded controller does not set.
    pub further_status: bool,
    /// The name of the spec's type, if the name is not the kind with the suffix `Spec`.
    pub spec_type: Option<String>,
    /// The name of the status's type, if the name is not the kind with the suffix `Status`.
    pub status_type: Option<String>,
}
