//! A marker that cannot be read, or that says something impossible.

use crate::finding::Finding;
use std::path::Path;

/// The column in the line of the marker, the reason and the hint.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::manifest) struct MarkerError {
    pub(in crate::manifest) column: usize,
    pub(in crate::manifest) message: String,
    pub(in crate::manifest) hint: String,
}

impl MarkerError {
    /// Makes it a finding.
    pub(in crate::manifest) fn at(self, code: &str, file: &Path, line: usize) -> Finding {
        Finding::new(code, file, line, self.message, self.hint).at_column(self.column)
    }
}
