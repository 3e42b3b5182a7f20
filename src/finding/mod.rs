//! Findings: errors and warnings about a location in a user's code, each with a stable code.
//!
//! Each [`Lint`] is a `static` in the source file of its check, with a code, a severity, and the text of `opctl
//! explain`.

mod finding;
mod lint;
mod severity;

pub use finding::Finding;
pub use lint::Lint;
pub use severity::Severity;
