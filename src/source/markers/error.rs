//! A marker that cannot be read, or that says something impossible.

use crate::finding::{Finding, Lint};
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
    pub(crate) fn at(self, lint: &Lint, file: &Path, line: usize) -> Finding {
        Finding::new(lint, file, line, self.message, self.hint).at_column(self.column)
    }
}
