//! A marker that cannot be read, or that says something impossible.

use crate::finding::Finding;
use std::path::Path;

/// The column in the line of the marker, the reason and the hint.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MarkerError {
    pub(crate) column: usize,
    pub(crate) message: String,
    pub(crate) hint: String,
}

impl MarkerError {
    /// Makes it a finding.
    pub(crate) fn at(self, code: &str, file: &Path, line: usize) -> Finding {
        Finding::new(code, file, line, self.message, self.hint).at_column(self.column)
    }
}
