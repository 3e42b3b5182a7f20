//! The journal of a command whose changes are being committed: the folder `.opctl/journal/`.
//!
//! `new-N` is the new content of the N-th file, and `old-N` is its former content. `tree-N` is a new folder with the
//! new contents of all files in it. `plan.json` lists the files. A rename creates `plan.json` when everything is
//! staged. If opctl is killed after this rename, the next opctl command that writes completes the command. If a step
//! fails, `plan.json` is renamed to `undo.json`, and from then on the command is undone, if necessary by the next
//! command. Both lists are renamed to `done.json` when only the removal of empty folders and of the journal is left to
//! do. `done.json` is removed last, so that a journal without a list belongs to a command that changed nothing.
//!
//! A journal is used only if it has the [seal](super::seal) of this user's opctl, because it may have come with a
//! repository.

use super::seal::Sealer;
use super::state_folder;
use crate::error::file_error;
use crate::model::ProjectPath;
use crate::plan::hash;
use crate::system::open_regular;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::Read;
use std::path::{Path, PathBuf};

pub(super) const PLAN: &str = "plan.json";
pub(super) const UNDO: &str = "undo.json";
pub(super) const DONE: &str = "done.json";
pub(super) const DRAFT: &str = "plan.draft";

pub(super) const NEW: &str = "new-";
pub(super) const TREE: &str = "tree-";
const OLD: &str = "old-";

/// The maximum size of a journal's list of files in bytes, which is far larger than the list of any project.
const MOST_BYTES: u64 = 64 << 20;

/// A file that a commit changes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct JournalEntry {
    /// The path of the file that the command changes.
    pub(super) path: ProjectPath,
    /// The hash of the former content; `None` if there was no file.
    pub(super) before: Option<String>,
    /// The hash of the new content; `None` if the file is removed.
    pub(super) after: Option<String>,
}

/// The changes that a commit makes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Journal {
    /// The changed files, in the order in which the commit moves them into place.
    pub(super) entries: Vec<JournalEntry>,
    /// The new folders, outermost first.
    pub(super) folders: Vec<ProjectPath>,
}

/// A journal with its seal. The seal is `None` if opctl could not store a key.
#[derive(Serialize, Deserialize)]
struct Sealed {
    seal: Option<String>,
    journal: Journal,
}

impl Sealed {
    fn parse(path: &Path, text: &str) -> Result<Self> {
        serde_json::from_str(text)
            .map_err(|error| Error::user(format!("`{}` is damaged", path.display())).source(&error).hint(ABANDON))
    }
}

/// Parses the paths in a journal's list, with or without a seal.
///
/// # Errors
/// Fails if the list is damaged, or if a path leads out of the project.
pub fn journal_paths(text: &str) -> Result<Vec<ProjectPath>> {
    let Journal { entries, folders } = Sealed::parse(Path::new(PLAN), text)?.journal;
    Ok(entries.into_iter().map(|entry| entry.path).chain(folders).collect())
}

impl Journal {
    /// Returns the journal as text, with its seal.
    pub(super) fn to_text(&self, root: &Path, sealer: &Sealer) -> serde_json::Result<String> {
        let seal = sealer.seal(root, &serde_json::to_string(self)?);
        serde_json::to_string(&Sealed { seal, journal: self.clone() })
    }

    /// Reads the file `name` of the journal, which lists the changes of a commit. Returns `None` if the file does not
    /// exist.
    ///
    /// # Errors
    /// Fails if the list is damaged, or if its seal does not prove that this user's opctl wrote the list for this
    /// folder.
    pub(super) fn read(root: &Path, name: &str, sealer: &Sealer) -> Result<Option<Self>> {
        let path = folder(root).join(name);
        let mut text = String::new();
        let read = open_regular(OpenOptions::new().read(true), &path)
            .and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text));
        match read {
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(file_error("read", &path, &error).hint(ABANDON)),
        }
        let sealed = Sealed::parse(&path, &text)?;
        // What is carried out is what was checked, and not the text that it was read from.
        let is_ours = serde_json::to_string(&sealed.journal)
            .is_ok_and(|list| sealed.seal.is_some_and(|seal| sealer.is_seal(root, &list, &seal)));
        if is_ours { Ok(Some(sealed.journal)) } else { Err(foreign_journal_error()) }
    }

    /// Returns the paths of the files that the commit removes.
    pub(super) fn removed_paths(&self) -> impl Iterator<Item = &ProjectPath> {
        self.entries.iter().filter(|entry| entry.after.is_none()).map(|entry| &entry.path)
    }
}

/// The hint for a user who abandons an interrupted opctl command: a shell command that removes the journal.
pub(super) const ABANDON: &str =
    "rm -r .opctl/journal    # leaves the files as they are now; compare them with `git status`";

fn foreign_journal_error() -> Error {
    Error::user("`.opctl/journal` was written by another user or in another folder")
        .caused_by("only the user who ran a stopped opctl command can complete it, and only in the folder where it ran")
        .caused_by(
            "possible reasons: the journal was committed to the repository, the folder was moved, or opctl had no home directory in which to store the key that signs journals",
        )
        .hint(ABANDON)
}

/// Returns true if `content` is the hash of the content of the file at `path`.
pub(super) fn has_hash(path: &Path, content: &str) -> bool {
    let mut text = String::new();
    let file = open_regular(OpenOptions::new().read(true), path);
    file.and_then(|mut file| file.read_to_string(&mut text)).is_ok_and(|_| hash(&text) == content)
}

/// Returns true if `name` is a file name that opctl uses in a journal.
pub(super) fn is_own(name: &str) -> bool {
    let number = [NEW, OLD, TREE].iter().find_map(|kind| name.strip_prefix(kind));
    [PLAN, UNDO, DONE, DRAFT].contains(&name)
        || number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

pub(super) fn folder(root: &Path) -> PathBuf {
    state_folder::journal(root)
}

pub(super) fn kept_copy(root: &Path, index: usize) -> PathBuf {
    folder(root).join(format!("{OLD}{index}"))
}

/// Returns true if a command has started a commit and has neither completed nor undone the commit.
pub(super) fn exists(root: &Path) -> bool {
    std::fs::symlink_metadata(folder(root)).is_ok()
}
