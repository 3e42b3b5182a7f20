//! The lock for the only node that a machine can run. The process that runs the node holds the lock, and the lock
//! is released when this process ends, even if it is killed.

use crate::error::file_error;
use crate::system;
use crate::{Error, Result};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

const FILE: &str = "/run/opctl-node.lock";

/// The folder of the control plane for which this process holds the lock; `None` if this process does not hold the
/// lock. A process that holds the lock cannot take it again.
static HELD_FOR: Mutex<Option<PathBuf>> = Mutex::new(None);

/// The lock of the machine's only node, held until this value is dropped.
#[derive(Debug)]
pub(super) struct NodeLock {
    _file: File,
}

impl Drop for NodeLock {
    fn drop(&mut self) {
        *HELD_FOR.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Returns true if this process holds the lock for the control plane in `directory`.
pub(super) fn is_held_for(directory: &Path) -> bool {
    HELD_FOR.lock().unwrap_or_else(PoisonError::into_inner).as_deref() == Some(directory)
}

/// Takes the lock for the control plane in `directory`.
///
/// # Errors
/// Fails if another control plane runs the node, or if the lock file cannot be written.
pub(super) fn take(directory: &Path) -> Result<NodeLock> {
    let path = Path::new(FILE);
    // Its folder is root's, and so is the file.
    let file = system::open_private(path).map_err(|error| file_error("write", path, &error))?;
    match file.try_lock() {
        Ok(()) => {
            *HELD_FOR.lock().unwrap_or_else(PoisonError::into_inner) = Some(directory.to_owned());
            Ok(NodeLock { _file: file })
        }
        Err(_) => Err(Error::conflict("this machine can run only one node, and another control plane already runs it")
            .hint(
                "opctl envtest list    # lists the control planes; stop the one that has a node: opctl envtest stop \
                   --name …",
            )),
    }
}
