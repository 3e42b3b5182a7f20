//! Lets only one opctl write to a project at a time.

use super::state_folder::{self, STATE_FOLDER};
use crate::Result;
use crate::error::file_error;
use crate::report::Console;
use crate::system::{self, is_same_file, open_or_create, open_regular};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// The lock of a command that writes. The lock file stays when the command ends, like cargo's lock files, because
/// otherwise two waiting commands could each lock a different file. If a command created the state folder for the lock,
/// and the folder contains nothing else at the end, the command removes the folder and the lock file.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    path: PathBuf,
    made_folder: bool,
}

impl Lock {
    /// Waits until no other opctl writes to the project, and locks the project. Tells the user about a wait.
    pub(super) fn acquire(root: &Path, console: &Console) -> Result<Self> {
        let folder = root.join(STATE_FOLDER);
        let path = state_folder::lock(root);
        loop {
            let made_folder = match system::create_folder(&folder) {
                Ok(()) => true,
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => false,
                Err(error) => return Err(file_error("create", &folder, &error)),
            };
            state_folder::check(root)?;
            let opened = open_or_create(File::options().write(true), &path);
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
                    waiting(console);
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

/// Waits until no other opctl writes to the project, and tells the user about a wait. Called by commands that only read
/// the project.
pub(super) fn wait(root: &Path, console: &Console) {
    // Without a lock nobody writes.
    let Ok(file) = open_regular(File::options().read(true), &state_folder::lock(root)) else { return };
    if matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)) {
        waiting(console);
        let _ = file.lock_shared();
    }
}

fn waiting(console: &Console) {
    console.status("Waiting", "for another opctl in this project to finish");
}
