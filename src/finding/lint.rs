//! A lint: the code of a finding, its severity, and its page in `opctl explain`.

use super::severity::Severity;

/// Explains the findings with one code. A code is never reused for other findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lint {
    /// The code: `OP1..` the schema of a type, `OP2..` `#[kube(..)]`, `OP3..` the place of a type in the crate, `OP4..`
    /// markers, `OP5..` rules, versions and attributes without effect, `OP6..` differences from older CRDs, `OP7..` bundles.
    pub code: &'static str,
    /// The severity; an error stops the command.
    pub severity: Severity,
    /// The title, a few words.
    pub title: &'static str,
    /// The consequence: the API server's answer, or the data that is lost.
    pub why: &'static str,
    /// An example with the problem, in Rust or YAML.
    pub wrong: &'static str,
    /// The same example without the problem.
    pub right: &'static str,
}

impl Lint {
    /// Makes a lint whose findings are errors.
    pub(crate) const fn error(
        code: &'static str,
        title: &'static str,
        why: &'static str,
        wrong: &'static str,
        right: &'static str,
    ) -> Lint {
        Lint { code, severity: Severity::Error, title, why, wrong, right }
    }

    /// Makes a lint whose findings are warnings.
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
