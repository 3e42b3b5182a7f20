//! Findings: errors and warnings about one place in a user's code, each with a stable code.
//!
//! A [`Lint`] is a static in the file that checks for it: its code, its severity, and the text of `opctl explain`.

mod finding;
mod lint;
mod severity;

pub use finding::Finding;
pub use lint::Lint;
pub use severity::Severity;
