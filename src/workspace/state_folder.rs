//! The folder `.opctl` of a project, which contains the lock and the journal.

use crate::error::{file_error, hint};
use crate::system::{belongs_to_user, have_one_owner};
use crate::{Error, Result};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The name of opctl's state folder in the project's root.
pub(super) const STATE_FOLDER: &str = ".opctl";

const JOURNAL: &str = ".opctl/journal";
const LOCK: &str = ".opctl/lock";

/// Returns the path of the journal's folder.
pub(super) fn journal(root: &Path) -> PathBuf {
    root.join(JOURNAL)
}

/// Returns the path of the lock.
pub(super) fn lock(root: &Path) -> PathBuf {
    root.join(LOCK)
}

/// Checks that the existing files and folders of opctl's state have the expected type and owner. A symlink would lead
/// the lock and the journal out of the project, and another user could change the state at any time.
///
/// # Errors
/// Fails if a path of the state is not the expected folder or file, or if it belongs neither to this user nor to the
/// owner of the project's folder.
pub(super) fn check(root: &Path) -> Result<()> {
    for (name, kind) in [(STATE_FOLDER, "folder"), (JOURNAL, "folder"), (LOCK, "file")] {
        let path = root.join(name);
        let metadata = match std::fs::symlink_metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(file_error("read", &path, &error)),
        };
        let is_right = if kind == "folder" { metadata.is_dir() } else { metadata.is_file() };
        if !is_right {
            return Err(Error::conflict(format!("`{name}` is in the way"))
                .caused_by(format!("the path is not a {kind}, and opctl keeps its state in a {kind} of that name"))
                .hint(hint!("mv {name} {name}.old", name)));
        }
        // Who owns the project's folder can change everything in it anyway.
        if !belongs_to_user(&metadata)
            && !std::fs::metadata(root).is_ok_and(|project| have_one_owner(&metadata, &project))
        {
            return Err(Error::user(format!("`{name}` belongs to another user"))
                .caused_by("the other user could control what opctl writes, and where")
                .hint(
                    "sudo chown -R \"$(id -u)\" .opctl    # makes you the owner; run this only if all files in \
                       `.opctl` are yours",
                ));
        }
    }
    Ok(())
}
