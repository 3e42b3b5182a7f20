//! The lock of a control plane's folder. The process that runs the control plane holds it until the process ends.
//!
//! Machines and containers that share a home folder cannot check each other's process ids, but they see the lock.

use crate::error::file_error;
use crate::{Result, system};
use std::fs::{File, TryLockError};
use std::path::Path;

const FILE: &str = "lock";

/// The lock of a control plane's folder, held until this value is dropped.
#[derive(Debug)]
pub(super) struct FolderLock {
    _file: File,
}

/// Takes the lock of a folder that this process has created. Must be called before the folder gets a state file.
pub(super) fn take(directory: &Path) -> Result<FolderLock> {
    let path = directory.join(FILE);
    let failed = |error: std::io::Error| file_error("lock", &path, &error);
    let file = system::create_private_file(&path).map_err(failed)?;
    // Another command holds the lock for a moment if it looks whether the lock is held.
    file.lock().map_err(failed)?;
    Ok(FolderLock { _file: file })
}

/// Returns true if a process on any machine or in any container holds the lock.
pub(super) fn is_held(directory: &Path) -> bool {
    let file = system::open_regular(File::options().read(true), &directory.join(FILE));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}
