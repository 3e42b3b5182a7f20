//! Completes or undoes a killed command.

use super::commit::{Failure, finish, swap, sweep, undo};
use super::disk::Disk;
use super::journal::{self, DONE, Journal, PLAN, UNDO};
use super::snapshot;
use crate::error::{file_error, hint};
use crate::plan::{Entry, hash};
use crate::reading::{self, Limit};
use crate::report::Console;
use crate::{Error, Result};
use std::path::Path;

/// Completes or undoes a killed command, and tells the user. The caller holds the lock.
///
/// # Errors
/// Fails if the journal is damaged, if a write fails, or if a file was edited after the kill: no edit is overwritten.
pub(super) fn recover(root: &Path, disk: &dyn Disk, console: &Console) -> Result<()> {
    let folder = journal::folder(root);
    if !journal::exists(root) {
        return Ok(());
    }
    if let Some(journal) = read(&folder.join(UNDO))? {
        check_for_edits(root, &journal)?;
        undo(root, &journal, disk).map_err(Failure::into_error)?;
        console.status("Undone", "an opctl command that had failed and was stopped");
        return Ok(());
    }
    let Some(journal) = read(&folder.join(PLAN))? else {
        let done = folder.join(DONE).exists();
        // An empty folder remains if a command was killed just before it staged a file, or just after it was done.
        let empty = std::fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_none());
        sweep(root, disk).map_err(|error| file_error("remove", &folder, &error))?;
        if done {
            console.status("Removed", "the journal of an opctl command that was stopped after it had done everything");
        } else if empty {
            console.status("Removed", "the empty journal of an opctl command that was stopped");
        } else {
            console.status("Undone", "an opctl command that was stopped before it changed anything");
        }
        return Ok(());
    };
    check_for_edits(root, &journal)?;
    swap(root, &journal, disk).map_err(Failure::into_error)?;
    finish(root, disk).map_err(Failure::into_error)?;
    console.status("Completed", format!("an opctl command that was stopped ({} files)", journal.entries.len()));
    Ok(())
}

fn read(path: &Path) -> Result<Option<Journal>> {
    let text = match reading::text(path, Limit::Settings) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(file_error("read", path, &error)),
    };
    serde_json::from_str(&text).map(Some).map_err(|error| {
        Error::user(format!("`{}` is damaged", path.display()))
            .source(&error)
            .hint("rm -r .opctl/journal    # leaves the files as they are now; compare them with `git status`")
    })
}

/// Fails if a file was edited since the kill: it must have its former content or its new content.
fn check_for_edits(root: &Path, journal: &Journal) -> Result<()> {
    let files = snapshot::take(root, journal.entries.iter().map(|entry| entry.path.as_str()))?;
    for entry in &journal.entries {
        let now = match files.entry(&entry.path) {
            Entry::Missing => None,
            Entry::Text(text) => Some(hash(text)),
            _ => Some(String::new()),
        };
        // A missing file has no edit that could be lost.
        if now.is_some() && now != entry.before && now != entry.after {
            return Err(Error::conflict(format!("`{}` was edited after an opctl command was killed", entry.path))
                .caused_by("completing or undoing that command would overwrite the edit")
                .hint(
                    hint!("mv {path} {path}.mine    # and run the same command again; or abandon the stopped command:\nrm -r .opctl/journal", path = entry.path),
                ));
        }
    }
    Ok(())
}
