//! The lock of a control plane's folder. The process that runs the control plane holds it, and loses it however it ends.
//!
//! A home folder may be shared with other machines and containers, from which process ids say nothing; they see the lock.

use super::state::{create_file, state_error};
use crate::Result;
use std::fs::{File, TryLockError};
use std::path::Path;

const FILE: &str = "lock";

/// The lock, until it is dropped.
#[derive(Debug)]
pub(super) struct FolderLock {
    _file: File,
}

/// Takes the lock of a folder that this process has made, before it writes a state.
pub(super) fn take(directory: &Path) -> Result<FolderLock> {
    let path = directory.join(FILE);
    let file = create_file(&path)?;
    // Another command holds the lock for a moment if it looks whether the lock is held.
    file.lock().map_err(|error| state_error("lock", &path, &error))?;
    Ok(FolderLock { _file: file })
}

/// Returns true if a process of any machine or container holds the lock.
pub(super) fn is_held(directory: &Path) -> bool {
    let file = File::open(directory.join(FILE));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}
