//! The journal of a command that is being committed: `.opctl/journal/`.
//!
//! `new-N` is the content to be of the N-th file, `old-N` what was there. `plan.json` lists them; it appears, by a rename, when
//! everything is staged, and from then on the command is completed whatever happens. When a step fails, it is renamed to
//! `undo.json`, and from then on the command is undone. Either becomes `done.json` when there is nothing left to do but to
//! remove the journal; it goes last, so that a journal without a list is one of a command that changed nothing.

use super::state_folder::STATE_FOLDER;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

pub(super) const PLAN: &str = "plan.json";
pub(super) const UNDO: &str = "undo.json";
pub(super) const DONE: &str = "done.json";

/// One file of a commit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct JournalEntry {
    /// Path below the root.
    pub(super) path: String,
    /// Hash of what was there.
    pub(super) before: Option<String>,
    /// Hash of what is to be there.
    pub(super) after: Option<String>,
}

/// The changes that a commit is about to make.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Journal {
    /// The files, in the order in which they are swapped.
    pub(super) entries: Vec<JournalEntry>,
    /// The folders that have to be made first, outermost first.
    pub(super) folders: Vec<String>,
}

pub(super) fn folder(root: &Path) -> PathBuf {
    root.join(STATE_FOLDER).join("journal")
}

pub(super) fn staged(root: &Path, index: usize) -> PathBuf {
    folder(root).join(format!("new-{index}"))
}

pub(super) fn kept(root: &Path, index: usize) -> PathBuf {
    folder(root).join(format!("old-{index}"))
}

/// Returns true if a command was begun and neither completed nor undone.
pub(super) fn exists(root: &Path) -> bool {
    folder(root).is_dir()
}
