//! Commits the changes of a plan: all of them or none.

use super::disk::Disk;
use super::journal::{self, DONE, Journal, JournalEntry, PLAN, UNDO};
use super::snapshot;
use crate::error::file_error;
use crate::plan::{Change, Entry, Plan, hash};
use crate::{Error, Result};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// Writes the changes of the plan below `root`.
///
/// # Errors
/// Fails if a file changed since the plan was made, or if a write fails; all files are then as they were before.
pub fn commit(root: &Path, plan: &Plan, disk: &dyn Disk) -> Result<()> {
    let changes: Vec<&Change> = plan.effective().collect();
    if changes.is_empty() {
        return Ok(());
    }
    for change in &changes {
        check_unchanged(root, change)?;
    }
    let journal = journal_of(root, &changes);
    if let Err(failure) = stage(root, &changes, &journal, disk) {
        // No file was replaced yet, so the staged files are just removed.
        let _ = sweep(root, disk);
        return Err(failure.into_error());
    }
    // `finish` is part of the commit: as long as the journal's list is there, the command can be undone.
    if let Err(failure) = swap(root, &journal, disk).and_then(|()| finish(root, disk)) {
        let error = failure.into_error();
        return Err(match undo(root, &journal, disk) {
            Ok(()) => error,
            Err(second) => error
                .caused_by(format!("undoing the changes failed too: {}", second.into_error()))
                .hint("fix the cause; the next opctl command completes or takes back what was begun"),
        });
    }
    Ok(())
}

/// The step that failed, with its path and its error.
pub(super) struct Failure {
    verb: &'static str,
    path: PathBuf,
    error: io::Error,
}

impl Failure {
    pub(super) fn into_error(self) -> Error {
        file_error(self.verb, &self.path, &self.error)
    }
}

fn at<T>(verb: &'static str, path: &Path, result: io::Result<T>) -> Result<T, Failure> {
    result.map_err(|error| Failure { verb, path: path.to_owned(), error })
}

fn check_unchanged(root: &Path, change: &Change) -> Result<()> {
    let now = match snapshot::entry(root, &change.path)? {
        Entry::Missing => None,
        Entry::Text(text) => Some(text),
        _ => Some(String::new()),
    };
    if now == change.before {
        return Ok(());
    }
    Err(Error::conflict(format!("`{}` was changed by another program meanwhile", change.path))
        .caused_by("it is not what it was when the changes were planned; nothing was written")
        .hint("run the same command again"))
}

fn journal_of(root: &Path, changes: &[&Change]) -> Journal {
    let entry = |change: &&Change| JournalEntry {
        path: change.path.clone(),
        before: change.before.as_deref().map(hash),
        after: change.after.as_deref().map(hash),
    };
    let mut folders = BTreeSet::new();
    for change in changes.iter().filter(|change| change.after.is_some()) {
        for folder in Path::new(&change.path).ancestors().skip(1) {
            let name = folder.to_string_lossy().into_owned();
            if folders.contains(&name) || root.join(folder).exists() {
                break;
            }
            folders.insert(name);
        }
    }
    Journal { entries: changes.iter().map(entry).collect(), folders: folders.into_iter().collect() }
}

fn stage(root: &Path, changes: &[&Change], journal: &Journal, disk: &dyn Disk) -> Result<(), Failure> {
    let folder = journal::folder(root);
    at("create", &folder, disk.create_folder(&folder))?;
    for (index, change) in changes.iter().enumerate() {
        let target = target(root, &change.path);
        if let Some(content) = &change.after {
            at("write", &target, disk.write(&journal::staged(root, index), content, &target))?;
        }
        if change.before.is_some() {
            at("keep a copy of", &target, disk.keep(&target, &journal::kept(root, index)))?;
        }
    }
    let text = serde_json::to_string(journal).map_err(|error| Failure {
        verb: "write",
        path: folder.join(PLAN),
        error: io::Error::other(error),
    })?;
    let draft = folder.join("plan.draft");
    at("write", &folder.join(PLAN), disk.write(&draft, &text, &draft))?;
    at("write", &folder.join(PLAN), disk.rename(&draft, &folder.join(PLAN)))
}

/// Moves the staged files into place. Also completes the work of an earlier process: steps that are done already are
/// skipped.
pub(super) fn swap(root: &Path, journal: &Journal, disk: &dyn Disk) -> Result<(), Failure> {
    for folder in &journal.folders {
        let folder = root.join(folder);
        if !folder.is_dir() {
            at("create", &folder, disk.create_folder(&folder))?;
        }
    }
    for (index, entry) in journal.entries.iter().enumerate() {
        let target = target(root, &entry.path);
        let staged = journal::staged(root, index);
        if entry.after.is_some() {
            if staged.exists() {
                at("write", &target, disk.rename(&staged, &target))?;
            }
        } else if target.exists() {
            at("remove", &target, disk.remove_file(&target))?;
        }
    }
    Ok(())
}

/// Undoes the steps that [`swap`] has done.
pub(super) fn undo(root: &Path, journal: &Journal, disk: &dyn Disk) -> Result<(), Failure> {
    let folder = journal::folder(root);
    if folder.join(PLAN).exists() {
        at("rename", &folder.join(PLAN), disk.rename(&folder.join(PLAN), &folder.join(UNDO)))?;
    }
    for (index, entry) in journal.entries.iter().enumerate().rev() {
        let target = target(root, &entry.path);
        let swapped = entry.after.is_none() || !journal::staged(root, index).exists();
        if !swapped {
            continue;
        }
        if entry.before.is_some() {
            let kept = journal::kept(root, index);
            if kept.exists() {
                at("restore", &target, disk.rename(&kept, &target))?;
            }
        } else if target.exists() {
            at("remove", &target, disk.remove_file(&target))?;
        }
    }
    for folder in journal.folders.iter().rev() {
        let folder = root.join(folder);
        // A folder in which another program has put something meanwhile stays.
        if folder.is_dir() && std::fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_none()) {
            at("remove", &folder, disk.remove_folder(&folder))?;
        }
    }
    finish(root, disk)
}

/// Marks the command as completed or undone, and removes the journal.
pub(super) fn finish(root: &Path, disk: &dyn Disk) -> Result<(), Failure> {
    let folder = journal::folder(root);
    let done = folder.join(DONE);
    for list in [PLAN, UNDO].map(|name| folder.join(name)) {
        if list.exists() {
            at("rename", &list, disk.rename(&list, &done))?;
        }
    }
    // The next command removes any rest.
    let _ = sweep(root, disk);
    Ok(())
}

/// Removes the journal; `done.json` goes last, since it shows that only the removal is left to do.
pub(super) fn sweep(root: &Path, disk: &dyn Disk) -> io::Result<()> {
    let folder = journal::folder(root);
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        if !path.ends_with(DONE) {
            disk.remove_file(&path)?;
        }
    }
    if folder.join(DONE).exists() {
        disk.remove_file(&folder.join(DONE))?;
    }
    disk.remove_folder(&folder)
}

/// Returns the path to write to: a symlink within the project is followed, not replaced.
fn target(root: &Path, path: &str) -> PathBuf {
    let full = root.join(path);
    match std::fs::symlink_metadata(&full) {
        Ok(metadata) if metadata.is_symlink() => std::fs::canonicalize(&full).unwrap_or(full),
        _ => full,
    }
}
