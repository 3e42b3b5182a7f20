//! Markers in the source code, each with its parsed content.

use crate::finding::{Finding, Lint};
use crate::source::markers::{Marker, MarkerError};

/// A marker in the source code, and the content that was parsed from it.
pub(super) struct MarkerContent<'a, T> {
    pub(super) marker: &'a Marker<'a>,
    pub(super) stated: T,
}

impl<T> MarkerContent<'_, T> {
    pub(super) fn finding(&self, lint: &Lint, message: impl Into<String>, hint: impl Into<String>) -> Finding {
        let wrong = MarkerError { column: self.marker.column, message: message.into(), hint: hint.into() };
        wrong.into_finding(lint, self.marker.file, self.marker.line)
    }

    pub(super) fn place(&self) -> String {
        format!("{}:{}", self.marker.file.display(), self.marker.line)
    }
}
