//! A lint: the code of a finding, its severity, and its page in `opctl explain`.

use super::severity::Severity;

/// Explains the findings of one code. A code is never given to something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lint {
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

impl Lint {
    /// A lint whose findings are errors.
    pub(crate) const fn error(
        code: &'static str,
        title: &'static str,
        why: &'static str,
        wrong: &'static str,
        right: &'static str,
    ) -> Lint {
        Lint { code, severity: Severity::Error, title, why, wrong, right }
    }

    /// A lint whose findings are warnings.
    pub(crate) const fn warning(
        code: &'static str,
        title: &'static str,
        why: &'static str,
        wrong: &'static str,
        right: &'static str,
    ) -> Lint {
        Lint { code, severity: Severity::Warning, title, why, wrong, right }
    }
}
