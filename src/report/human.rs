//! Prints reports and errors for people, or as JSON.

use super::console::print;
use super::document::{ChangeLine, Form};
use super::line::Line;
use super::style::{ERROR, HINT, WARNING};
use super::{Console, Outcome, Report};
use crate::Error;
use crate::finding::{Finding, Severity};

impl Console {
    /// Prints a report: with `-o json` as one JSON document on stdout, otherwise its data and diffs on stdout and all
    /// other parts on stderr.
    pub fn report(&self, report: &Report) {
        self.findings(&report.findings);
        if self.json() {
            match serde_json::to_string_pretty(report) {
                Ok(text) => self.json_document(&text),
                Err(error) => self.warning(format_args!("the report cannot be written as JSON: {error}")),
            }
            return;
        }
        // A diff is shown below the line of its change.
        for changes in report.changes.chunk_by(|before, _| before.diff.is_none()) {
            let is_shown = |change: &&ChangeLine| {
                !report.told && (change.action != "unchanged" || report.show_unchanged || self.verbose())
            };
            let shown = changes.iter().filter(is_shown).map(|change| {
                let from = report.copies.get(&change.path).map(|from| format!(" (copied from {from})"));
                (&*change.action, format!("{}{}", change.path, from.unwrap_or_default()))
            });
            self.statuses(shown);
            for diff in changes.iter().filter_map(|change| change.diff.as_deref()) {
                self.document(diff);
            }
        }
        if let Some(text) = &report.text {
            match report.form {
                Form::Plain => self.data(text),
                Form::Styled => self.print_styled(text),
                Form::Document => self.document(text),
            }
        }
        for warning in &report.warnings {
            self.warning(warning);
        }
        if let Some(error) = &report.error {
            failure(&error.message, &error.causes, error.hint.as_deref());
        }
        if !self.talkative() {
            return;
        }
        let prefix = if report.outcome == Outcome::DryRun { "dry run, nothing was changed: " } else { "" };
        if let Some(summary) = &report.summary {
            print(&Line::new().own(prefix).text(summary));
        }
        if !report.next.is_empty() {
            print(&Line::new().own("next:"));
            for command in &report.next {
                print(&Line::new().own("    ").word(command.as_str()));
            }
        }
    }

    /// Prints the report of one step of a long command as a line of JSON.
    pub fn report_line(&self, report: &Report) {
        if !self.prints_steps {
            return;
        }
        self.findings(&report.findings);
        match serde_json::to_string(report) {
            Ok(text) => self.json_document(&text),
            Err(error) => self.warning(format_args!("the report cannot be written as JSON: {error}")),
        }
    }

    /// Prints each finding and, on GitHub Actions, an annotation that GitHub shows at the finding's line. With `-o
    /// json`, the findings are in the report instead.
    pub fn findings(&self, findings: &[Finding]) {
        let annotate = std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
        for finding in findings {
            if !self.json() {
                let style = if finding.severity == Severity::Error { ERROR } else { WARNING };
                let (name, code) = (finding.severity.name(), &finding.code);
                print(&Line::new().styled(style, &format!("{name}[{code}]:")).own(" ").text(&finding.reason));
                print(&Line::new().own("  --> ").word(finding.place()));
                print(&Line::new().styled(HINT, "hint:").own(" ").hint(&finding.hint).own("\n"));
            }
            if annotate {
                print(&Line::new().word(finding.annotation()));
            }
        }
    }

    /// Prints an error with its causes and its hint or, with `-o json`, the report of the failed `command`.
    pub fn error(&self, command: &str, error: &Error) {
        if self.json() {
            self.report(&Report::failed(command, error));
            return;
        }
        self.findings(error.findings());
        failure(error.message(), error.causes(), error.hint_text());
    }
}

fn failure(message: &str, causes: &[String], hint: Option<&str>) {
    print(&Line::new().styled(ERROR, "error:").own(" ").text(message));
    for cause in causes {
        print(&Line::new().own("caused by: ").text(cause));
    }
    if let Some(hint) = hint {
        print(&Line::new().own("\n").styled(HINT, "hint:").own(" ").hint(hint));
    }
}
