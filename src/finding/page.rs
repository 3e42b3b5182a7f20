//! The page of one code: its meaning, its reason and its fix.

use super::severity::Severity;

/// Explains one code. A code is never given to something else.
#[derive(Clone, Copy, Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// The code: `OP1..` the schema of a type, `OP2..` `#[kube(..)]`, `OP3..` where types stand, `OP4..` markers,
    /// `OP5..` rules, versions and attributes without effect, `OP6..` older definitions.
    pub code: &'static str,
    /// Errors stop `opctl manifests`.
    pub severity: Severity,
    /// A few words.
    pub title: &'static str,
    /// The API server's answer, or its loss.
    pub why: &'static str,
    /// Rust that has it.
    pub wrong: &'static str,
    /// The same without it.
    pub right: &'static str,
}

impl Page {
    /// The page of an error.
    pub(super) const fn error(
        code: &'static str,
        title: &'static str,
        why: &'static str,
        wrong: &'static str,
        right: &'static str,
    ) -> Page {
        Page { code, severity: Severity::Error, title, why, wrong, right }
    }

    /// The page of a warning.
    pub(super) const fn warning(
        code: &'static str,
        title: &'static str,
        why: &'static str,
        wrong: &'static str,
        right: &'static str,
    ) -> Page {
        Page { code, severity: Severity::Warning, title, why, wrong, right }
    }
}
