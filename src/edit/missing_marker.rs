//! The error of an edit whose marker is not in the text.

/// The error that the text of an edit lacks the marker.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the marker `{marker}` is missing")]
pub struct MissingMarker {
    /// The line of the missing marker.
    pub marker: String,
}
