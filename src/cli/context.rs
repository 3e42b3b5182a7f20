//! The context of a command: its folder, its terminal, and functions that build and run opctl's commands.

use crate::plan::Plan;
use crate::report::{Console, Report};
use crate::{Error, Result};
use std::path::PathBuf;

/// The folder that a command works in, and its terminal.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) console: Console,
    pub(super) directory: PathBuf,
    /// Builds opctl's command with all subcommands and arguments.
    pub(super) command: fn() -> clap::Command,
    /// Runs another command of opctl; the first word is `opctl`.
    pub(super) run: fn(&Context, &[&str]) -> Result<Report>,
}

/// Runs another command of opctl as a step of the current command, and reports its result.
pub(super) fn as_typed(context: &Context, words: &[&str]) -> Result<()> {
    done(context, &(context.run)(context, words)?);
    Ok(())
}

/// Reports the result of a step of a longer command.
pub(super) fn done(context: &Context, report: &Report) {
    if context.console.json() {
        return context.console.report_line(report);
    }
    context.console.findings(&report.findings);
    if let Some(summary) = &report.summary {
        context.console.status("Done", summary);
    }
}

/// Shows the changes that were made, before an error tells which changes were not made.
pub(super) fn show(plan: &Plan, context: &Context) {
    for change in plan.effective() {
        context.console.status(change.action.name(), &change.path);
    }
}

/// Reports an error in a long-running command that may continue. With `-o json` the error is a line of JSON.
pub(super) fn tell(command: &str, error: &Error, console: &Console) {
    if console.json() {
        console.report_line(&Report::failed(command, error));
    } else {
        console.error(command, error);
    }
}
