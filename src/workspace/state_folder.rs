//! The folder of opctl's own state.

/// The name of the folder below the project's root.
pub(super) const STATE_FOLDER: &str = ".opctl";
