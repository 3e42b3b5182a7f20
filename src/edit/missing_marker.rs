//! The error of an edit at a scaffold marker that the text does not contain.

/// The error that a text does not contain the scaffold marker at which opctl would insert lines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the marker `{marker}` is missing")]
pub struct MissingMarker {
    /// The line of the missing marker.
    pub marker: String,
}
