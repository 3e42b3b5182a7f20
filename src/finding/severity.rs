//! Severities of findings.

use serde::Serialize;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// An error: the API server would refuse the object that the finding is about, or data would be lost.
    Error,
    /// A warning: the object that the finding is about is accepted, but probably does not work as intended.
    Warning,
}

impl Severity {
    /// Returns `error` or `warning`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}
