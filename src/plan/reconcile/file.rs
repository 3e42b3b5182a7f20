//! The versions of one file of a project: generated before the command, in the working tree, and generated now.

use super::super::Ledger;
use super::decision::{Next, State};
use super::records::same;
use super::wanted::RenderedFile;
use crate::model::ProjectPath;

/// A file as opctl generated it before the command, as it is in the working tree, and as opctl generates it now.
pub(super) struct File<'a> {
    /// The file's path before the command.
    pub(super) from: &'a ProjectPath,
    /// The file's path after the command.
    pub(super) to: &'a ProjectPath,
    /// The file's text in the working tree; `None` if the file is missing.
    pub(super) ours: Option<&'a str>,
    pub(super) state: State,
    pub(super) next: Next,
    /// The file as opctl renders it for the state of the project before the command. `None` if opctl renders no such
    /// file for this state, or if the command does not render this state.
    pub(super) before: Option<&'a RenderedFile>,
    /// The file as opctl generates it for the project after the command; `None` if opctl does not generate the file for
    /// this project.
    pub(super) after: Option<&'a RenderedFile>,
}

/// Returns the state of a file. `before` is the file as this opctl renders it for the project before the command.
pub(super) fn state(path: &ProjectPath, ours: Option<&str>, before: Option<&RenderedFile>, ledger: &Ledger) -> State {
    match ours {
        None => State::Deleted,
        Some(_) if !ledger.files.contains_key(path) => State::Shared,
        Some(ours) if before.is_some_and(|before| same(&before.text, ours)) => State::Pristine,
        Some(ours) if ledger.is_pristine(path, ours) => State::Stale,
        Some(_) => State::Edited,
    }
}

/// A merged text with the changes of opctl and of the user.
pub(super) struct Combined {
    pub(super) text: String,
    /// The text that opctl generates for the file from now on, which is the base of the next merge; `None` if the
    /// generated text has not changed.
    pub(super) base: Option<String>,
    /// True if the text has conflict markers.
    pub(super) is_conflicted: bool,
}
