//! The error of a marker that cannot be read or has an impossible value.

use crate::finding::{Finding, Lint};
use std::path::Path;

/// An error in a marker: the column in the marker's line, the reason, and the hint.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MarkerError {
    pub(crate) column: usize,
    pub(crate) message: String,
    pub(crate) hint: String,
}

impl MarkerError {
    /// Converts the error into a finding.
    pub(crate) fn into_finding(self, lint: &Lint, file: &Path, line: usize) -> Finding {
        Finding::new(lint, file, line, self.message, self.hint).at_column(self.column)
    }
}
