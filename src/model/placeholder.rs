//! The placeholder for a description that the author has not written yet.

/// The beginning of the comment that stands in for the description of a field from `opctl create api --field`.
pub const FIELD_PLACEHOLDER: &str = "Say here what `";
