//! Prints findings as SARIF 2.1.0, the format that GitHub's code scanning and other viewers read.
//!
//! The documents follow the [standard](https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html), and contain
//! the properties that
//! [GitHub](https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning)
//! shows.

use super::console::Console;
use super::document::Report;
use crate::finding::{Finding, Lint};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::{Map, Value, json};

/// The characters that must be percent-encoded in the path of a URI (RFC 3986 §3.3).
const PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

impl Console {
    /// Prints the findings of a report on stdout as one SARIF document.
    pub fn sarif(&self, report: &Report, rules: &[&Lint]) {
        self.json_document(&format!("{:#}", sarif(report, rules)));
    }
}

/// Returns the findings of a report as SARIF. The document contains only the rules that have a finding.
fn sarif(report: &Report, rules: &[&Lint]) -> Value {
    let is_found = |lint: &&&Lint| report.findings.iter().any(|finding| finding.code == lint.code);
    let found: Vec<&Lint> = rules.iter().filter(is_found).copied().collect();
    let driver = json!({
        "name": "opctl",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": found.iter().map(|lint| rule(lint)).collect::<Vec<_>>(),
    });
    let failure = report.error.as_ref().map(|error| json!({"level": "error", "message": {"text": error.message}}));
    let invocation = json!({
        "executionSuccessful": report.error.is_none(),
        "exitCode": report.exit_code(),
        "toolExecutionNotifications": failure.into_iter().collect::<Vec<_>>(),
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation],
            "results": report.findings.iter().map(|finding| result(finding, &found)).collect::<Vec<_>>(),
        }],
    })
}

fn rule(lint: &Lint) -> Value {
    let help = format!("{}\n\nWrong:\n{}\n\nRight:\n{}", lint.why, lint.wrong, lint.right);
    let language = if lint.code.starts_with("OP7") { "yaml" } else { "rust" };
    let block = |code: &str| format!("```{language}\n{code}\n```");
    let markdown = format!("{}\n\nWrong:\n\n{}\n\nRight:\n\n{}", lint.why, block(lint.wrong), block(lint.right));
    json!({
        "id": lint.code,
        "shortDescription": {"text": lint.title},
        "fullDescription": {"text": lint.why},
        "help": {"text": help, "markdown": markdown},
        "defaultConfiguration": {"level": lint.severity.name()},
    })
}

fn result(finding: &Finding, rules: &[&Lint]) -> Value {
    let mut region = Map::from_iter([("startLine".to_owned(), json!(finding.line.max(1)))]);
    region.extend(finding.column.map(|column| ("startColumn".to_owned(), json!(column))));
    let uri = utf8_percent_encode(&finding.file.replace('\\', "/"), PATH).to_string();
    let mut result = json!({
        "ruleId": finding.code,
        "level": finding.severity.name(),
        "message": {"text": format!("{}\n{}", finding.reason, finding.hint)},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"},
            "region": region,
        }}],
    });
    if let Some(index) = rules.iter().position(|lint| lint.code == finding.code) {
        result["ruleIndex"] = json!(index);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Severity;
    use crate::report::Outcome;
    use std::path::Path;

    const LINT: Lint = Lint {
        code: "OP102",
        severity: Severity::Warning,
        title: "a title",
        why: "The server refuses it.",
        wrong: "a: u64",
        right: "a: i64",
    };

    #[test]
    fn a_finding_is_at_its_line() {
        let mut report = Report::new("manifests", Outcome::Unchanged);
        report.findings =
            vec![Finding::new(&LINT, Path::new("api/src/größe 100%.rs"), 7, "is wrong", "fix it").at_column(3)];
        let sarif = sarif(&report, &[&LINT, &Lint { code: "OP103", ..LINT }]);
        let run = &sarif["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), 1);
        let result = &run["results"][0];
        assert_eq!(
            (&result["ruleId"], &result["ruleIndex"], &result["level"]),
            (&json!("OP102"), &json!(0), &json!("warning"))
        );
        assert_eq!(result["message"]["text"], "is wrong\nfix it");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "api/src/gr%C3%B6%C3%9Fe%20100%25.rs");
        assert_eq!(place["region"], json!({"startLine": 7, "startColumn": 3}));
        assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    }

    #[test]
    fn a_command_that_failed_says_why() {
        let report = Report::failed("manifests", &crate::Error::user("no project"));
        let sarif = sarif(&report, &[]);
        let invocation = &sarif["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
        assert_eq!(invocation["toolExecutionNotifications"][0]["message"]["text"], "no project");
    }
}
