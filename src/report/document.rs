//! The report as data: the shape of `-o json`, the same for every command.

use crate::Error;
use crate::error::{Category, Hint};
use crate::finding::Finding;
use serde::Serialize;
use std::collections::BTreeMap;

/// The schema of reports, as JSON.
pub const SCHEMA: &str = include_str!("report.schema.json");

/// The outcome of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// Something was done.
    Changed,
    /// There was nothing to do.
    Unchanged,
    /// Nothing was done because `--dry-run` was given.
    DryRun,
    /// The command only shows something.
    Shown,
    /// The command went on until an interrupt, such as Ctrl+C, ended it.
    Interrupted,
    /// The command failed; see `error`.
    Failed,
}

impl Outcome {
    /// Returns the process's exit code; an error has an exit code of its own.
    pub fn exit_code(self) -> u8 {
        if self == Outcome::Interrupted { Category::Interrupted.exit_code() } else { 0 }
    }
}

/// The form of a text that a report shows to people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Lines and tables, which may name what others wrote.
    #[default]
    Plain,
    /// opctl's own words in styles, such as a page of help.
    Styled,
    /// A document for a file or a program, such as a script.
    Document,
}

/// One file, or one object in a cluster, and what was done to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeLine {
    /// `create`, `update`, `insert`, `remove`, `unchanged`, `skip` or `conflict`.
    pub action: String,
    /// The file's path below the project, or `kind/name` of an object.
    pub path: String,
    /// The unified diff, where `--diff` asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

/// An error in a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorDocument {
    /// Whom it concerns.
    pub category: Category,
    /// The process's exit code.
    pub exit_code: u8,
    /// The message.
    pub message: String,
    /// Why, outermost cause first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<String>,
    /// The hint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl From<&Error> for ErrorDocument {
    fn from(error: &Error) -> Self {
        ErrorDocument {
            category: error.category(),
            exit_code: error.category().exit_code(),
            message: error.message().to_owned(),
            causes: error.causes().to_vec(),
            hint: error.hint_text().map(str::to_owned),
        }
    }
}

/// The report of a command: one document on stdout with `-o json`, prose on stderr otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// `opctl.dev/v1alpha1`.
    pub api_version: &'static str,
    /// `Report`.
    pub kind: &'static str,
    /// The command, such as `create api`.
    pub command: String,
    /// The outcome.
    pub outcome: Outcome,
    /// Files or objects, in the order in which they were handled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeLine>,
    /// Files that begin as a copy, each with the file that it is a copy of.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub copies: BTreeMap<String, String>,
    /// Things to know that are not errors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Findings in the user's code, each at its place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// The data that the command was asked to show; its shape depends on the command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<serde_json::Value>,
    /// At most three commands that come next.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub next: Vec<Hint>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorDocument>,
    /// True if unchanged files are shown to people, too.
    #[serde(skip)]
    pub show_unchanged: bool,
    /// True if people have been told of the changes already, when they were made.
    #[serde(skip)]
    pub told: bool,
    /// A sentence for people that sums up the command.
    #[serde(skip)]
    pub summary: Option<String>,
    /// `data` as people read it.
    #[serde(skip)]
    pub text: Option<String>,
    /// The form of `text`.
    #[serde(skip)]
    pub form: Form,
}

impl Report {
    /// Makes an empty report of `command`.
    pub fn new(command: impl Into<String>, outcome: Outcome) -> Self {
        Report {
            api_version: "opctl.dev/v1alpha1",
            kind: "Report",
            command: command.into(),
            outcome,
            changes: Vec::new(),
            copies: BTreeMap::new(),
            warnings: Vec::new(),
            findings: Vec::new(),
            data: None,
            next: Vec::new(),
            error: None,
            show_unchanged: false,
            told: false,
            summary: None,
            text: None,
            form: Form::Plain,
        }
    }

    /// Makes the report of a command that failed.
    pub fn failed(command: impl Into<String>, error: &Error) -> Self {
        Report {
            error: Some(error.into()),
            findings: error.findings().to_vec(),
            ..Report::new(command, Outcome::Failed)
        }
    }

    /// Makes a report that shows something: `text` for people, `data` for programs.
    pub fn shown(command: impl Into<String>, text: impl Into<String>, data: serde_json::Value) -> Self {
        Report { text: Some(text.into()), data: Some(data), ..Report::new(command, Outcome::Shown) }
    }

    /// Makes a report fail that shows something, too.
    #[must_use]
    pub fn fails(mut self, error: &Error) -> Self {
        self.error = Some(error.into());
        self.outcome = Outcome::Failed;
        self
    }

    /// Returns the exit code of the process.
    pub fn exit_code(&self) -> u8 {
        self.error.as_ref().map_or_else(|| self.outcome.exit_code(), |error| error.exit_code)
    }

    /// Sets the sentence that sums up the command.
    #[must_use]
    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        self.summary = Some(summary.into());
        self
    }

    /// Adds a command that comes next, unless the report is one of a dry run or of no change.
    #[must_use]
    pub fn next(mut self, command: impl Into<Hint>) -> Self {
        if !matches!(self.outcome, Outcome::DryRun | Outcome::Unchanged) {
            self.next.push(command.into());
        }
        self
    }
}
