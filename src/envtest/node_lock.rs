//! The lock of the machine's only node. The process that runs the node holds it, and loses it however it ends.

use crate::error::file_error;
use crate::system;
use crate::{Error, Result};
use std::fs::File;
use std::path::Path;

const FILE: &str = "/run/opctl-node.lock";

/// Takes the lock until the returned file is dropped.
///
/// # Errors
/// Another control plane runs the node, or the file cannot be written.
pub(super) fn take() -> Result<File> {
    let path = Path::new(FILE);
    let file = system::create_private_file(path).map_err(|error| file_error("write", path, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => Err(Error::conflict("this machine has one node, and another control plane uses it")
            .hint("opctl envtest list    # then stop that one: opctl envtest stop --name …")),
    }
}
