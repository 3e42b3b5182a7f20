//! Completes or undoes a killed command.

use super::commit::{Failure, finish, remove_empty_folders, swap, sweep, undo};
use super::disk::Disk;
use super::journal::{self, DONE, Journal, JournalEntry, PLAN, UNDO};
use super::seal::Sealer;
use super::snapshot;
use super::staging::Staging;
use crate::error::{file_error, hint};
use crate::plan::{Entry, file_text, hash};
use crate::report::Console;
use crate::{Error, Result};
use std::path::Path;

/// Completes or undoes the commit of a killed command, and tells the user. The caller must hold the lock.
///
/// # Errors
/// Fails if the journal is damaged, if its seal does not prove that this user's opctl wrote the journal for this
/// folder, if a write fails, or if a file was edited after the kill, because edits are never overwritten.
pub(super) fn recover(root: &Path, sealer: &Sealer, disk: &dyn Disk, console: &Console) -> Result<()> {
    if !journal::exists(root) {
        return Ok(());
    }
    if let Some(journal) = Journal::read(root, UNDO, sealer)? {
        check_for_edits(root, &journal)?;
        undo(root, &journal, disk).map_err(Failure::into_error)?;
        console.status("Undone", "an opctl command that had failed and was stopped");
        return Ok(());
    }
    let Some(journal) = Journal::read(root, PLAN, sealer)? else {
        return remove_journal(root, sealer, disk, console);
    };
    check_for_edits(root, &journal)?;
    check_staged(root, &journal)?;
    swap(root, &journal, disk).map_err(Failure::into_error)?;
    finish(root, &journal, disk).map_err(Failure::into_error)?;
    console.status("Completed", format!("an opctl command that was stopped ({} files)", journal.entries.len()));
    Ok(())
}

/// Removes the journal of a command that was killed before its first change or after its last change.
fn remove_journal(root: &Path, sealer: &Sealer, disk: &dyn Disk, console: &Console) -> Result<()> {
    let folder = journal::folder(root);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(|error| file_error("read", &folder, &error))? {
        let name = entry.map_err(|error| file_error("read", &folder, &error))?.file_name();
        names.push(name.to_string_lossy().into_owned());
    }
    if let Some(other) = names.iter().find(|name| !journal::is_own(name)) {
        return Err(Error::conflict("`.opctl/journal` is in the way")
            .caused_by(format!("the folder contains a file that opctl does not create, `{other}`"))
            .hint("mv .opctl/journal .opctl/journal.old"));
    }
    let done = names.iter().any(|name| name == DONE);
    if let Ok(Some(journal)) = Journal::read(root, DONE, sealer) {
        let _ = remove_empty_folders(root, &journal, disk);
    }
    sweep(root, disk).map_err(|error| file_error("remove", &folder, &error))?;
    if done {
        console.status("Removed", "the journal of an opctl command that was stopped after it had made all its changes");
    } else if names.is_empty() {
        // A command was killed just before it staged a file, or just after it was done.
        console.status("Removed", "the empty journal of an opctl command that was stopped");
    } else {
        console.status("Undone", "an opctl command that was stopped before it changed anything");
    }
    Ok(())
}

/// Fails if a file was edited after the kill, so that it has neither its former nor its new content.
fn check_for_edits(root: &Path, journal: &Journal) -> Result<()> {
    let files = snapshot::take(root, journal.entries.iter().map(|entry| &entry.path))?;
    for entry in &journal.entries {
        let is_known = match files.entry(&entry.path) {
            // A missing file has no edit that could be lost.
            Entry::Missing => true,
            Entry::Text(text) => [&entry.before, &entry.after].contains(&&Some(hash(text))),
            Entry::Outside(_) | Entry::NotAFolder(_) => file_text(&entry.path, &files)?.is_none(),
            Entry::Binary | Entry::NotAFile => false,
        };
        if !is_known {
            return Err(Error::conflict(format!("`{}` was edited after an opctl command was killed", entry.path))
                .caused_by("completing or undoing that command would overwrite the edit")
                .hint(hint!(
                    "mv {path} {path}.mine    # and run the same command again; or abandon the stopped command:\nrm -r .opctl/journal",
                    path = entry.path
                )));
        }
    }
    Ok(())
}

/// Fails if the hash of a staged file differs from the hash in the journal, for example after a power failure.
fn check_staged(root: &Path, journal: &Journal) -> Result<()> {
    let staging = Staging::new(root, journal);
    for (index, JournalEntry { after, .. }) in journal.entries.iter().enumerate() {
        let path = staging.file(index);
        let is_there = std::fs::symlink_metadata(&path).is_ok();
        if is_there && !after.as_ref().is_some_and(|content| journal::has_hash(&path, content)) {
            return Err(Error::user(format!("`{}` is damaged", path.display()))
                .caused_by("the content of the file differs from what the stopped opctl command wrote")
                .hint(journal::ABANDON));
        }
    }
    Ok(())
}
