//! Findings and summaries as text, JSON and HTML.

pub(super) mod page;
pub(super) mod text;
