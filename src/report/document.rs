//! The report of a command as data, which `-o json` prints in the same format for all commands.

use crate::Error;
use crate::error::{Category, Hint};
use crate::finding::Finding;
use serde::Serialize;
use std::collections::BTreeMap;

/// The JSON schema of reports.
pub const SCHEMA: &str = include_str!("report.schema.json");

/// The outcome of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The command changed something.
    Changed,
    /// The command found nothing to do.
    Unchanged,
    /// The command changed nothing because `--dry-run` was given.
    DryRun,
    /// The command only shows information.
    Shown,
    /// The command ran until an interrupt, such as Ctrl+C, ended it.
    Interrupted,
    /// The command failed; see `error`.
    Failed,
}

impl Outcome {
    /// Returns the exit code of the process for a report without an error. An error has a separate exit code.
    pub fn exit_code(self) -> u8 {
        if self == Outcome::Interrupted { Category::Interrupted.exit_code() } else { 0 }
    }
}

/// The form of the text that a report shows to people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Lines and tables, which may contain text from outside of opctl.
    #[default]
    Plain,
    /// A text with terminal styles, written by opctl, such as a help page.
    Styled,
    /// The content of a file or the input of another program, such as a shell script.
    Document,
}

/// A file or an object in a cluster, with the action on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeLine {
    /// The action: `create`, `update`, `insert`, `remove`, `unchanged`, `skip` or `conflict`.
    pub action: String,
    /// The file's path relative to the project's root, or `kind/name` of an object.
    pub path: String,
    /// The unified diff of the change, if `--diff` was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

/// An error in a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorDocument {
    /// The category of the error, which names the party that can fix the error.
    pub category: Category,
    /// The process's exit code.
    pub exit_code: u8,
    /// The message of the error, without its causes.
    pub message: String,
    /// The causes of the error, outermost cause first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<String>,
    /// The fix for the error: a command to run, or a text to paste into a file or a command line.
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

/// The report of a command: one JSON document on stdout with `-o json`, otherwise text for people.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The API version of the report: `opctl.dev/v1alpha1`.
    pub api_version: &'static str,
    /// The kind of the report: `Report`.
    pub kind: &'static str,
    /// The command, such as `create api`.
    pub command: String,
    /// The outcome of the command.
    pub outcome: Outcome,
    /// The files or objects that the command handled, each with the action on it, in the order of the actions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeLine>,
    /// The new files that were copied from other files, each with the path of the original.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub copies: BTreeMap<String, String>,
    /// Warnings for the user.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Findings in the user's code, each with its file and line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// The data that the user requested; its structure depends on the command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<serde_json::Value>,
    /// The recommended next commands, at most three.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub next: Vec<Hint>,
    /// The error, if the command failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorDocument>,
    /// True if the text for people also lists unchanged files.
    #[serde(skip)]
    pub show_unchanged: bool,
    /// True if the console already showed the changes when they were made.
    #[serde(skip)]
    pub told: bool,
    /// A sentence for people that summarizes the result of the command.
    #[serde(skip)]
    pub summary: Option<String>,
    /// The text for people that corresponds to `data`.
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

    /// Creates the report of a command that only shows information: `text` for people, and `data` for programs.
    pub fn shown(command: impl Into<String>, text: impl Into<String>, data: serde_json::Value) -> Self {
        Report { text: Some(text.into()), data: Some(data), ..Report::new(command, Outcome::Shown) }
    }

    /// Adds an error to a report that shows information, and sets the outcome to failed.
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

    /// Sets the sentence that summarizes the result of the command.
    #[must_use]
    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        self.summary = Some(summary.into());
        self
    }

    /// Adds a recommended next command, unless the report is about a dry run or nothing has changed.
    #[must_use]
    pub fn next(mut self, command: impl Into<Hint>) -> Self {
        if !matches!(self.outcome, Outcome::DryRun | Outcome::Unchanged) {
            self.next.push(command.into());
        }
        self
    }
}
