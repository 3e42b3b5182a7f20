//! Lets only one opctl write to a project at a time.

use super::state_folder::STATE_FOLDER;
use crate::error::{file_error, hint};
use crate::report::Console;
use crate::system::is_same_file;
use crate::{Error, Result};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// The lock of a command that writes. The lock file stays, as cargo's does: removing it would let two waiting commands
/// each hold a lock of their own. If the command changed nothing, the folder and the file that it made for the lock are
/// removed again.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    path: PathBuf,
    made_folder: bool,
}

impl Lock {
    /// Waits until no other opctl writes to the project; tells the user if it has to wait.
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
                // A command that changed nothing has removed the folder that it had made.
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
        // A folder with nothing but the lock comes from a command that changed nothing.
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

/// Refuses a symlink: it would lead the lock and the journal out of the project, or nowhere.
fn check_folder(folder: &Path) -> Result<()> {
    match std::fs::symlink_metadata(folder) {
        Ok(metadata) if !metadata.is_dir() => Err(Error::conflict(format!("`{STATE_FOLDER}` is in the way"))
            .caused_by("it is not a folder, and opctl keeps its state in a folder of that name")
            .hint(hint!("mv {STATE_FOLDER} {STATE_FOLDER}.old", STATE_FOLDER))),
        _ => Ok(()),
    }
}
