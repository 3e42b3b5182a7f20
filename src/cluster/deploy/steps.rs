//! Reports the steps of a command.

use super::member::Member;
use crate::cluster::{Connection, request_error};
use crate::error::Category;
use crate::report::{ChangeLine, Console, Outcome, Report};
use crate::{Error, Result};
use kube::api::DeleteParams;
use serde_json::json;
use std::cell::{Cell, RefCell};

/// The reporter of a command's progress, with a status line or a line of JSON for each step.
pub(super) struct Steps<'a> {
    command: &'static str,
    console: &'a Console,
    /// The changes of the objects that have been applied or deleted.
    pub(super) changes: RefCell<Vec<ChangeLine>>,
    /// True as soon as all objects are applied.
    pub(super) complete: Cell<bool>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(command: &'static str, console: &'a Console) -> Self {
        Steps { command, console, changes: RefCell::default(), complete: Cell::new(false) }
    }

    pub(super) fn say(&self, verb: &'static str, message: &str) {
        if self.console.json() {
            let data = json!({ "step": verb.to_lowercase(), "message": message });
            self.console.report_line(&Report { data: Some(data), ..Report::new(self.command, Outcome::Shown) });
        } else {
            self.console.status(verb, message);
        }
    }

    /// Reports the change of an object, and records it for the command's report.
    pub(super) fn record_change(&self, step: &'static str, change: ChangeLine) {
        if self.console.json() {
            self.say(step, &change.path);
        } else {
            self.console.status(&change.action, &change.path);
        }
        self.changes.borrow_mut().push(change);
    }

    /// Adds to `error` the number of objects that were changed before the error occurred, and the last of these
    /// objects. If
    /// no object was changed, or if all objects were applied, adds this fact to an interrupt, and returns any other
    /// error
    /// unchanged. `done` is the word for the change: `applied` or `deleted`.
    pub(super) fn so_far(&self, error: Error, done: &str) -> Error {
        let is_interrupt = error.category() == Category::Interrupted;
        match (self.changes.borrow().as_slice(), self.complete.get()) {
            ([], _) if is_interrupt => error.caused_by(format!("nothing was {done} yet")),
            (_, true) if is_interrupt => {
                error.caused_by("everything was applied, but it is not known whether the operator runs")
            }
            ([], _) | (_, true) => error,
            (changes @ [.., last], false) => {
                error.caused_by(format!("objects already {done}: {}, the last is `{}`", changes.len(), last.path))
            }
        }
    }
}

pub(super) async fn delete(connection: &Connection, member: &Member) -> Result<()> {
    let attempt = member.attempt("delete");
    match member.api(&connection.client).delete(member.name(), &DeleteParams::background()).await {
        Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
        other => other.map(drop).map_err(|error| request_error(&error, connection, attempt)),
    }
}

pub(super) fn removal_line(member: &Member) -> ChangeLine {
    ChangeLine { action: "remove".to_owned(), path: member.path(), diff: None }
}
