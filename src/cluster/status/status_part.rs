//! A part of the status, or the reason why it cannot be read; the other parts are shown nevertheless.

use crate::Error;
use serde::Serialize;

/// A part of the status.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Part<T> {
    /// The part was read.
    Known(T),
    /// The part could not be read, for this reason.
    Unknown { error: String },
}

impl<T> Part<T> {
    pub(super) fn known(&self) -> Option<&T> {
        match self {
            Part::Known(value) => Some(value),
            Part::Unknown { .. } => None,
        }
    }

    pub(super) fn error(&self) -> Option<&str> {
        match self {
            Part::Known(_) => None,
            Part::Unknown { error } => Some(error),
        }
    }
}

impl<T> From<crate::Result<T>> for Part<T> {
    fn from(result: crate::Result<T>) -> Self {
        result.map_or_else(|error: Error| Part::Unknown { error: error.to_string() }, Part::Known)
    }
}
