//! The folder of opctl's own state.

/// Its name below the project's root.
pub(super) const STATE_FOLDER: &str = ".opctl";
