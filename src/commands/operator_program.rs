//! Reads from `PROJECT` the data that `opctl adopt` recorded about the operator's program, and refuses commands that do
//! not work in an adopted project.

use super::context::Context;
use super::write::parse_project;
use crate::model::{Adopted, PROJECT_FILE, Project};
use crate::reading::{self, Limit};
use crate::workspace::discover;
use crate::{Error, Result};
use std::path::Path;

/// Returns the data that `opctl adopt` recorded in `PROJECT`. Returns `None` in a project of `opctl init`, and also
/// if `PROJECT` cannot be read, because other commands report this error.
pub(super) fn adoption_record(root: &Path) -> Option<Adopted> {
    project(root)?.adopted
}

/// Returns the project at `root`; `None` if its `PROJECT` cannot be read, because other commands report this error.
pub(super) fn project(root: &Path) -> Option<Project> {
    let text = reading::text_within(root, PROJECT_FILE, Limit::Settings).ok()?;
    parse_project(&text).ok()
}

/// Returns the arguments that select the operator's program for cargo; none if the project was not adopted.
pub(super) fn cargo_arguments(root: &Path) -> Vec<String> {
    let operator = adoption_record(root).and_then(|adopted| adopted.operator).into_iter();
    operator.flat_map(|operator| operator.cargo_arguments().map(str::to_owned)).collect()
}

/// Refuses to run `command` in an adopted project, because `command` writes to files that only `opctl init` makes.
///
/// # Errors
/// Fails if the project was adopted.
pub(super) fn refuse_adopted(command: &str, context: &Context) -> Result<()> {
    let Ok(root) = discover(&context.directory) else { return Ok(()) };
    if adoption_record(&root).is_none() {
        return Ok(());
    }
    Err(Error::user(format!(
        "this operator was adopted, and `{command}` works only in projects created by `opctl init`"
    ))
    .caused_by(
        "the command writes to files that an adopted operator does not have, such as api/src/lib.rs and the runtime \
         crate",
    )
    .hint("opctl adopt    # after you have changed the Rust types: adds new kinds to `PROJECT`"))
}
