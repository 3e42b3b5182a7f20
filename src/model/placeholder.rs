//! The text that stands in the place of a description that the author has yet to write.

/// The beginning of the text for a field of `opctl create api --field`.
pub const FIELD_PLACEHOLDER: &str = "Say here what `";
