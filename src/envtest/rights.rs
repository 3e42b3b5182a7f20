//! The rights on a control plane that root has started, as one with a node.

use super::name::Name;
use crate::Error;
use crate::error::hint;
use crate::system;
use std::fs;
use std::path::Path;

/// Returns true if servers of the control plane in `directory` have made files there as another user, so that this one can
/// neither end them nor remove the files.
pub(super) fn lacks_rights(directory: &Path) -> bool {
    let is_of_another = |entry: fs::DirEntry| entry.metadata().is_ok_and(|found| !system::belongs_to_user(&found));
    !system::is_root() && fs::read_dir(directory).into_iter().flatten().flatten().any(is_of_another)
}

/// Returns the error for a command of `opctl envtest`, such as `stop`, that lacks the rights.
pub(super) fn needs_root(command: &str, name: &Name) -> Error {
    Error::environment(format!("control plane `{name}` runs as another user, such as root")).hint(hint!(
        "sudo env \"HOME=$HOME\" \"PATH=$PATH\" opctl envtest {command} --name {name}",
        command,
        name
    ))
}
