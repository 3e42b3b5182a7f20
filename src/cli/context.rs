//! The environment of a command: its folder, its terminal, and the other commands.

use crate::plan::Plan;
use crate::report::{Console, Report};
use crate::{Error, Result};
use std::path::PathBuf;

/// The folder that a command works in, and its terminal.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) console: Console,
    pub(super) directory: PathBuf,
    /// Builds the whole command line of opctl.
    pub(super) command: fn() -> clap::Command,
    /// Runs another command of opctl; the first word is `opctl`.
    pub(super) run: fn(&Context, &[&str]) -> Result<Report>,
}

/// Runs one of opctl's commands within another one, and reports its result as a step.
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

/// Shows the changes that were made, before an error says what was not.
pub(super) fn show(plan: &Plan, context: &Context) {
    for change in plan.effective() {
        context.console.status(change.action.name(), &change.path);
    }
}

/// Reports an error in a long command, which may go on; with JSON as a line.
pub(super) fn tell(command: &str, error: &Error, console: &Console) {
    if console.json() {
        console.report_line(&Report::failed(command, error));
    } else {
        console.error(command, error);
    }
}
