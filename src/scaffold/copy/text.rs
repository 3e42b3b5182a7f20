//! A file of a version's module.

/// A file, and the names of its module below that of the version.
pub(super) struct Text {
    pub(super) file: String,
    pub(super) module: Vec<String>,
    pub(super) content: String,
    /// True if the whole file is a test.
    pub(super) test: bool,
}
