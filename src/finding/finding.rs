//! A finding: an error or a warning about a line of a user's code.

use super::lint::Lint;
use super::severity::Severity;
use serde::Serialize;
use std::path::Path;

/// An error or a warning about one place in a user's code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The stable code, such as `OP101`; `opctl explain OP101` explains the code.
    pub code: String,
    /// The severity; an error stops the command.
    pub severity: Severity,
    /// The file, relative to the project's root.
    pub file: String,
    /// The line number, from 1, of the field or attribute that the finding is about, or of the type if the field or
    /// attribute is unknown.
    pub line: usize,
    /// The column in characters, from 1, if the column is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The Rust path of the custom resource that the finding is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// The name of the CRD, such as `webservers.example.com`. Set only if the finding is from a comparison of the CRD
    /// with an older CRD, or is about CEL rules of the CRD that no API server has checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// The version of the CRD in `definition`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The path of the field from the root of the object, such as `.spec.backends[].size`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The name of the Rust type of the field or spec that the finding is about, if the type has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rust_type: Option<String>,
    /// The reason, as a sentence that names the object, field or marker.
    pub reason: String,
    /// The fix that opctl suggests for the finding.
    pub hint: String,
}

impl Finding {
    /// Creates a finding of `lint` at a line of a file.
    pub(crate) fn new(
        lint: &Lint,
        file: &Path,
        line: usize,
        reason: impl Into<String>,
        hint: impl Into<String>,
    ) -> Finding {
        Finding {
            code: lint.code.to_owned(),
            severity: lint.severity,
            file: file.display().to_string(),
            line,
            column: None,
            resource: None,
            definition: None,
            version: None,
            path: None,
            rust_type: None,
            reason: reason.into(),
            hint: hint.into(),
        }
    }

    /// Returns true if the finding reports a change that breaks users of an older CRD.
    pub fn is_about_compatibility(&self) -> bool {
        self.code.starts_with("OP6")
    }

    /// Returns `file:line`, or `file:line:column`.
    pub fn place(&self) -> String {
        let column = self.column.map(|column| format!(":{column}")).unwrap_or_default();
        format!("{}:{}{column}", self.file, self.line)
    }

    /// Returns the finding with its column set to `column`.
    #[must_use]
    pub fn at_column(mut self, column: usize) -> Self {
        self.column = Some(column);
        self
    }

    /// Returns the GitHub workflow command that shows the finding next to the line of code.
    pub fn annotation(&self) -> String {
        format!(
            "::{} file={},line={}{},title={}::{}",
            self.severity.name(),
            property(&self.file),
            self.line,
            self.column.map(|column| format!(",col={column}")).unwrap_or_default(),
            property(&self.code),
            data(&format!("{}\n{}", self.reason, self.hint)),
        )
    }
}

/// Escapes a text for a GitHub workflow command, as GitHub's `actions/toolkit` does (`packages/core/src/command.ts`).
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{Finding, Severity};

    #[test]
    fn annotations_are_escaped() {
        let finding = Finding {
            code: "OP102".to_owned(),
            severity: Severity::Warning,
            file: "a,b:c/100%.rs".to_owned(),
            line: 7,
            column: None,
            resource: None,
            definition: None,
            version: None,
            path: None,
            rust_type: None,
            reason: "is 50%: odd".to_owned(),
            hint: "one\ntwo".to_owned(),
        };
        let expected = "::warning file=a%2Cb%3Ac/100%25.rs,line=7,title=OP102::is 50%25: odd%0Aone%0Atwo";
        assert_eq!(finding.annotation(), expected);
        let expected = expected.replace("line=7,", "line=7,col=3,");
        let finding = finding.at_column(3);
        assert_eq!(finding.annotation(), expected);
        assert_eq!(finding.place(), "a,b:c/100%.rs:7:3");
    }
}
