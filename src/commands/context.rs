//! The context of a command: its folder, its terminal, and functions that build and run opctl's commands.

use crate::plan::Plan;
use crate::report::{Console, Report};
use crate::{Error, Result};
use std::path::PathBuf;

/// The folder that a command works in, and its terminal.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) console: Console,
    pub(crate) directory: PathBuf,
    /// Builds opctl's command with all subcommands and arguments.
    pub(crate) command: fn() -> clap::Command,
    /// Runs another command of opctl; the first word is `opctl`.
    pub(crate) run: fn(&Context, &[&str]) -> Result<Report>,
}

/// Runs another command of opctl as a step of the current command, and reports its result.
pub(crate) fn as_typed(context: &Context, words: &[&str]) -> Result<()> {
    report_step(context, &(context.run)(context, words)?);
    Ok(())
}

/// Reports the result of a step of a longer command.
pub(crate) fn report_step(context: &Context, report: &Report) {
    if context.console.json() {
        return context.console.report_line(report);
    }
    context.console.findings(&report.findings);
    if let Some(summary) = &report.summary {
        context.console.status("Done", summary);
    }
}

/// Shows the changes of files that `plan` has made. A command calls this function before it returns an error, because a
/// command that returns an error returns no report that would list these changes.
pub(crate) fn show(plan: &Plan, context: &Context) {
    for change in plan.effective() {
        context.console.status(change.action.name(), &change.path);
    }
}

/// Reports an error in a long-running command that may continue. With `-o json` the error is a line of JSON.
pub(crate) fn tell(command: &str, error: &Error, console: &Console) {
    if console.json() {
        console.report_line(&Report::failed(command, error));
    } else {
        console.error(command, error);
    }
}
