//! The contents of a marker, with its place.

use crate::finding::{Finding, Lint};
use crate::source::markers::{Marker, MarkerError};

/// A marker, with the contents that were read from the marker.
pub(super) struct Placed<'a, T> {
    pub(super) marker: &'a Marker<'a>,
    pub(super) stated: T,
}

impl<T> Placed<'_, T> {
    pub(super) fn finding(&self, lint: &Lint, message: impl Into<String>, hint: impl Into<String>) -> Finding {
        let wrong = MarkerError { column: self.marker.column, message: message.into(), hint: hint.into() };
        wrong.at(lint, self.marker.file, self.marker.line)
    }

    pub(super) fn place(&self) -> String {
        format!("{}:{}", self.marker.file.display(), self.marker.line)
    }
}
