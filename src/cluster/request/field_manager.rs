//! The field manager of opctl.

/// The field manager of all objects that opctl applies.
pub const FIELD_MANAGER: &str = "opctl";
