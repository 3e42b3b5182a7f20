//! A source file of a version's module.

/// A source file, with the path of its module below the version's module.
pub(super) struct Text {
    pub(super) file: String,
    pub(super) module: Vec<String>,
    pub(super) content: String,
    /// True if the whole file is compiled only for tests.
    pub(super) test: bool,
}
