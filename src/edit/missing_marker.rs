//! The error of an edit whose marker is not in the text.

/// The error of an edit whose marker is not in the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the marker `{marker}` is missing")]
pub struct MissingMarker {
    /// The line of the marker.
    pub marker: String,
}
