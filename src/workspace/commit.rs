//! Commits the changes of a plan: all of them or none.

use super::disk::Disk;
use super::journal::{self, DONE, DRAFT, Journal, JournalEntry, PLAN, UNDO};
use super::seal::Sealer;
use super::snapshot;
use super::staging::Staging;
use crate::error::file_error;
use crate::model::ProjectPath;
use crate::plan::{Change, Plan, hash};
use crate::{Error, Result};
use std::collections::BTreeSet;
use std::fs::DirEntry;
use std::io;
use std::path::{Path, PathBuf};

/// Writes the changes of the plan below `root`, and removes folders that become empty.
///
/// # Errors
/// Fails if a file changed since the plan was made, or if a write fails; all files are then as they were before.
pub fn commit(root: &Path, plan: &Plan, sealer: &Sealer, disk: &dyn Disk) -> Result<()> {
    let changes: Vec<&Change> = plan.effective().collect();
    if changes.is_empty() {
        return Ok(());
    }
    check_unchanged(root, &changes)?;
    let journal = journal_of(root, &changes);
    if let Err(failure) = stage(root, &changes, (&journal, sealer), disk) {
        // No file was replaced yet, so the staged files are just removed.
        let _ = sweep(root, disk);
        return Err(failure.into_error());
    }
    // `finish` is part of the commit: as long as the journal's list is there, the command can be undone.
    if let Err(failure) = swap(root, &journal, disk).and_then(|()| finish(root, &journal, disk)) {
        let error = failure.into_error();
        return Err(match undo(root, &journal, disk) {
            Ok(()) => error,
            Err(second) => error
                .caused_by(format!("undoing the changes also failed: {}", second.into_error()))
                .hint("fix the cause; the next opctl command that writes files completes or undoes these changes"),
        });
    }
    Ok(())
}

/// A failed step of a commit, with the path and the error.
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

fn describe_failure<T>(verb: &'static str, path: &Path, result: io::Result<T>) -> Result<T, Failure> {
    result.map_err(|error| Failure { verb, path: path.to_owned(), error })
}

fn check_unchanged(root: &Path, changes: &[&Change]) -> Result<()> {
    let now = snapshot::take(root, changes.iter().map(|change| &change.path))?;
    match changes.iter().find(|change| !now.has_text(&change.path, change.before.as_deref())) {
        None => Ok(()),
        Some(Change { path, .. }) => Err(Error::conflict(format!("`{path}` was changed by another program meanwhile"))
            .caused_by("the file has changed since opctl planned its changes; nothing was written")
            .hint("run the same command again")),
    }
}

fn journal_of(root: &Path, changes: &[&Change]) -> Journal {
    let entry = |change: &&Change| JournalEntry {
        path: change.path.clone(),
        before: change.before.as_deref().map(hash),
        after: change.hash_after().map(str::to_owned),
    };
    let created = changes.iter().filter(|change| change.after.is_some());
    let named: BTreeSet<ProjectPath> = created.flat_map(|change| change.path.folders()).collect();
    let mut folders: Vec<ProjectPath> = Vec::new();
    for folder in named {
        let is_in_new_one = folder.folders().next().is_some_and(|above| folders.contains(&above));
        if is_in_new_one || !root.join(&folder).exists() {
            folders.push(folder);
        }
    }
    Journal { entries: changes.iter().map(entry).collect(), folders }
}

fn stage(
    root: &Path,
    changes: &[&Change],
    (journal, sealer): (&Journal, &Sealer),
    disk: &dyn Disk,
) -> Result<(), Failure> {
    let folder = journal::folder(root);
    describe_failure("create", &folder, disk.create_folder(&folder))?;
    let staging = Staging::new(root, journal);
    for path in &journal.folders {
        describe_failure("create", &root.join(path), disk.create_folder(&staging.place_in_tree(path)))?;
    }
    for (index, change) in changes.iter().enumerate() {
        let target = target(root, &change.path, change.before.is_some());
        if let Some(content) = &change.after {
            let like = change.before.is_some().then_some(&*target);
            describe_failure("write", &target, disk.write(&staging.file(index), content, like))?;
        }
        if change.before.is_some() {
            describe_failure("keep a copy of", &target, disk.keep(&target, &journal::kept_copy(root, index)))?;
        }
    }
    let text = journal.to_text(root, sealer).map_err(|error| Failure {
        verb: "write",
        path: folder.join(PLAN),
        error: io::Error::other(error),
    })?;
    let draft = folder.join(DRAFT);
    describe_failure("write", &folder.join(PLAN), disk.write(&draft, &text, None))?;
    describe_failure("write", &folder.join(PLAN), disk.rename(&draft, &folder.join(PLAN)))
}

/// Moves the staged folders and files into the project. To complete the work of a killed process, skips the steps that
/// are already done.
pub(super) fn swap(root: &Path, journal: &Journal, disk: &dyn Disk) -> Result<(), Failure> {
    let staging = Staging::new(root, journal);
    // Another program has made these folders meanwhile: their files are moved one by one.
    let mut split: Vec<&ProjectPath> = Vec::new();
    for (staged, path) in staging.trees() {
        let target = root.join(path);
        if !target.exists() {
            describe_failure(
                "create",
                &target,
                ignore_error_if_done(|| !staged.exists(), disk.rename(&staged, &target)),
            )?;
        } else if staged.exists() {
            split.push(path);
        }
    }
    let is_split = |path: &str| staging.tree_of(path).is_none_or(|tree| split.contains(&tree));
    for folder in journal.folders.iter().filter(|folder| is_split(folder)) {
        let folder = root.join(folder);
        describe_failure("create", &folder, ignore_error_if_done(|| folder.is_dir(), disk.create_folder(&folder)))?;
    }
    for (index, entry) in journal.entries.iter().enumerate().filter(|(_, entry)| is_split(&entry.path)) {
        let target = target(root, &entry.path, entry.before.is_some());
        let staged = staging.file(index);
        if entry.after.is_some() {
            describe_failure(
                "write",
                &target,
                ignore_error_if_done(|| !staged.exists(), disk.rename(&staged, &target)),
            )?;
        } else {
            describe_failure("remove", &target, ignore_error_if_done(|| !target.exists(), disk.remove_file(&target)))?;
        }
    }
    Ok(())
}

/// Returns the `result` of a step, but ignores an error if the step is already done, because a killed opctl process may
/// have done the step.
fn ignore_error_if_done(is_done: impl Fn() -> bool, result: io::Result<()>) -> io::Result<()> {
    result.or_else(|error| if is_done() { Ok(()) } else { Err(error) })
}

/// Undoes the completed steps of [`swap`].
pub(super) fn undo(root: &Path, journal: &Journal, disk: &dyn Disk) -> Result<(), Failure> {
    let folder = journal::folder(root);
    if folder.join(PLAN).exists() {
        describe_failure("rename", &folder.join(PLAN), disk.rename(&folder.join(PLAN), &folder.join(UNDO)))?;
    }
    let staging = Staging::new(root, journal);
    for (index, entry) in journal.entries.iter().enumerate().rev() {
        let target = target(root, &entry.path, entry.before.is_some());
        let swapped = entry.after.is_none() || !staging.file(index).exists();
        if !swapped {
            continue;
        }
        if entry.before.is_some() {
            let kept = journal::kept_copy(root, index);
            if kept.exists() {
                describe_failure("restore", &target, disk.rename(&kept, &target))?;
            }
        } else if target.exists() {
            describe_failure("remove", &target, disk.remove_file(&target))?;
        }
    }
    for folder in journal.folders.iter().rev() {
        let folder = root.join(folder);
        // A folder in which another program has put something meanwhile stays.
        if folder.is_dir() && is_empty(&folder) {
            describe_failure("remove", &folder, disk.remove_folder(&folder))?;
        }
    }
    finish(root, journal, disk)
}

/// Marks the command as completed or undone, and removes empty folders and the journal.
pub(super) fn finish(root: &Path, journal: &Journal, disk: &dyn Disk) -> Result<(), Failure> {
    let folder = journal::folder(root);
    let done = folder.join(DONE);
    for list in [PLAN, UNDO].map(|name| folder.join(name)) {
        if list.exists() {
            describe_failure("rename", &list, disk.rename(&list, &done))?;
        }
    }
    // The next command removes any rest.
    let _ = remove_empty_folders(root, journal, disk).and_then(|()| sweep(root, disk));
    Ok(())
}

/// Removes the folders that are empty because their files were removed.
pub(super) fn remove_empty_folders(root: &Path, journal: &Journal, disk: &dyn Disk) -> io::Result<()> {
    for path in journal.removed_paths() {
        for folder in path.folders().map(|folder| root.join(folder)) {
            if std::fs::symlink_metadata(&folder).is_ok_and(|there| there.is_dir()) {
                if !is_empty(&folder) {
                    break;
                }
                disk.remove_folder(&folder)?;
            }
        }
    }
    Ok(())
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// Removes opctl's files in the journal, and then the journal's folder. Removes `done.json` as the last file,
/// because this file shows that only the removal of the journal is left to do.
pub(super) fn sweep(root: &Path, disk: &dyn Disk) -> io::Result<()> {
    let folder = journal::folder(root);
    for entry in std::fs::read_dir(&folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if name != DONE && name.to_str().is_some_and(journal::is_own) {
            remove(&entry, disk)?;
        }
    }
    if folder.join(DONE).exists() {
        disk.remove_file(&folder.join(DONE))?;
    }
    disk.remove_folder(&folder)
}

/// Removes a file, or a staged folder with everything in it.
fn remove(entry: &DirEntry, disk: &dyn Disk) -> io::Result<()> {
    let path = entry.path();
    if !entry.file_type()?.is_dir() {
        return disk.remove_file(&path);
    }
    for inner in std::fs::read_dir(&path)? {
        remove(&inner?, disk)?;
    }
    disk.remove_folder(&path)
}

/// Returns the path to which a commit writes the file `path`. `is_there` is true if `path` existed before the commit.
/// If `path` is an existing symlink, returns the target of the symlink, so that the symlink stays.
fn target(root: &Path, path: &str, is_there: bool) -> PathBuf {
    let full = root.join(path);
    let is_symlink = is_there && std::fs::symlink_metadata(&full).is_ok_and(|metadata| metadata.is_symlink());
    if is_symlink { std::fs::canonicalize(&full).unwrap_or(full) } else { full }
}
