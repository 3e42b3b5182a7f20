//! The surroundings of a command, and its reports on single steps.

use crate::Error;
use crate::plan::Plan;
use crate::report::{Console, Report};
use std::path::PathBuf;

/// The folder that a command works in, and its terminal.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) console: Console,
    pub(super) directory: PathBuf,
}

/// Says what came of a step of a longer command.
pub(super) fn done(context: &Context, report: &Report) {
    if context.console.json() {
        return context.console.report_line(report);
    }
    context.console.findings(&report.findings);
    if let Some(summary) = &report.summary {
        context.console.status("Done", summary);
    }
}

/// Shows what is done, before an error says what is not.
pub(super) fn show(plan: &Plan, context: &Context) {
    for change in plan.effective() {
        context.console.status(change.action.name(), &change.path);
    }
}

/// Says what went wrong in a long command, which may go on; with JSON as a line.
pub(super) fn tell(command: &str, error: &Error, context: &Context) {
    if context.console.json() {
        context.console.report_line(&Report::failed(command, error));
    } else {
        context.console.error(command, error);
    }
}
