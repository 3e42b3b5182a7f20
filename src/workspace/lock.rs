//! One opctl at a time in a project.

use super::state_folder::STATE_FOLDER;
use crate::error::file_error;
use crate::report::Console;
use crate::system::is_same_file;
use crate::{Error, Result};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// Held while a command writes. The file stays, as cargo's does: removing it would let two waiting commands each hold
/// a lock of their own. What was made for nothing is removed again.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    path: PathBuf,
    made_folder: bool,
}

impl Lock {
    /// Waits until no other opctl writes to the project, and says so.
    pub(super) fn acquire(root: &Path, console: &Console) -> Result<Self> {
        let folder = root.join(STATE_FOLDER);
        let path = folder.join("lock");
        loop {
            let made_folder = match std::fs::create_dir(&folder) {
                Ok(()) => true,
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => false,
                Err(error) => return Err(file_error("create", &folder, &error)),
            };
            check_folder(&folder)?;
            let opened = File::options().create(true).truncate(false).write(true).open(&path);
            let file = match opened {
                Ok(file) => file,
                // The folder went away with a command that had made it for nothing.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => {
                    if made_folder {
                        let _ = std::fs::remove_dir(&folder);
                    }
                    return Err(file_error("write", &path, &error));
                }
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    console.status("Waiting", "for another opctl in this project to finish");
                    file.lock().map_err(|error| file_error("lock", &path, &error))?;
                }
                Err(TryLockError::Error(error)) => return Err(file_error("lock", &path, &error)),
            }
            if is_same_file(&file, &path) {
                return Ok(Lock { file, path, made_folder });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A folder that holds nothing but the lock was made for a command that changed nothing.
        if self.made_folder
            && let Some(folder) = self.path.parent()
            && std::fs::read_dir(folder).is_ok_and(|entries| entries.count() == 1)
        {
            let _ = std::fs::remove_file(&self.path);
            let _ = std::fs::remove_dir(folder);
        }
        let _ = self.file.unlock();
    }
}

/// A symlink would lead the lock and the journal out of the project, or nowhere.
fn check_folder(folder: &Path) -> Result<()> {
    match std::fs::symlink_metadata(folder) {
        Ok(metadata) if !metadata.is_dir() => Err(Error::conflict(format!("`{STATE_FOLDER}` is in the way"))
            .caused_by("it is not a folder, and opctl keeps its state in a folder of that name")
            .hint(format!("mv {STATE_FOLDER} {STATE_FOLDER}.old"))),
        _ => Ok(()),
    }
}
