//! A lint: the code of a finding, its severity, and its page in `opctl explain`.

use super::severity::Severity;

/// The explanation of all findings with one code. A code is never reused for other findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lint {
    /// The code: `OP1..` for schemas, `OP2..` for `#[kube(..)]`, `OP3..` for unusable types, `OP4..` for markers,
    /// `OP5..` for rules, versions and attributes without effect, `OP6..` for changes of CRDs, `OP7..` for bundles.
    pub code: &'static str,
    /// The severity; an error stops the command.
    pub severity: Severity,
    /// The title in a few words.
    pub title: &'static str,
    /// The consequence of the problem: the API server's answer, or the data that is lost.
    pub why: &'static str,
    /// An example with the problem, in Rust or YAML.
    pub wrong: &'static str,
    /// The same example without the problem.
    pub right: &'static str,
}

impl Lint {
    /// Creates a lint whose findings are errors.
    pub(crate) const fn error(
        code: &'static str,
        title: &'static str,
        why: &'static str,
        wrong: &'static str,
        right: &'static str,
    ) -> Lint {
        Lint { code, severity: Severity::Error, title, why, wrong, right }
    }

    /// Creates a lint whose findings are warnings.
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
