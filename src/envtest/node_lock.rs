//! The lock of the machine's only node. The process that runs the node holds it, and loses it however it ends.

use crate::error::file_error;
use crate::system;
use crate::{Error, Result};
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

const FILE: &str = "/run/opctl-node.lock";

/// True while this process holds the lock: it cannot take the lock a second time.
static IS_HELD: AtomicBool = AtomicBool::new(false);

/// The lock, until it is dropped.
#[derive(Debug)]
pub(super) struct NodeLock {
    _file: File,
}

impl Drop for NodeLock {
    fn drop(&mut self) {
        IS_HELD.store(false, Ordering::SeqCst);
    }
}

/// Returns true if this process holds the lock.
pub(super) fn is_held() -> bool {
    IS_HELD.load(Ordering::SeqCst)
}

/// Takes the lock.
///
/// # Errors
/// A control plane runs the node, or the file cannot be written.
pub(super) fn take() -> Result<NodeLock> {
    let path = Path::new(FILE);
    let file = system::create_private_file(path).map_err(|error| file_error("write", path, &error))?;
    match file.try_lock() {
        Ok(()) => {
            IS_HELD.store(true, Ordering::SeqCst);
            Ok(NodeLock { _file: file })
        }
        Err(_) => Err(Error::conflict("this machine has one node, and another control plane uses it")
            .hint("opctl envtest list    # then stop that one: opctl envtest stop --name …")),
    }
}
