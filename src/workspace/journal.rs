//! The journal of a command that is being committed: `.opctl/journal/`.
//!
//! `new-N` is the new content of the N-th file, and `old-N` its former content. `plan.json` lists the files; it
//! appears, by a rename, when everything is staged, and from then on the command is completed in any case. If a step
//! fails, `plan.json` is renamed to `undo.json`, and from then on the command is undone. Both become `done.json` when
//! only the removal of the journal is left to do; it is removed last, so that a journal without a list belongs to a
//! command that changed nothing.

use super::state_folder::STATE_FOLDER;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

pub(super) const PLAN: &str = "plan.json";
pub(super) const UNDO: &str = "undo.json";
pub(super) const DONE: &str = "done.json";

/// A file of a commit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct JournalEntry {
    /// The path below the root.
    pub(super) path: String,
    /// The hash of the former content; `None` if there was no file.
    pub(super) before: Option<String>,
    /// The hash of the new content; `None` if the file is removed.
    pub(super) after: Option<String>,
}

/// The changes that a commit makes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Journal {
    /// The files, in the order in which they are swapped.
    pub(super) entries: Vec<JournalEntry>,
    /// The folders to create first, outermost first.
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
