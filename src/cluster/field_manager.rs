//! The field manager of opctl.

/// The field manager of everything that opctl applies.
pub const FIELD_MANAGER: &str = "opctl";
