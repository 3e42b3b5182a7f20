//! Control planes that this process cannot end: control planes of another machine or container that shares the home
//! folder, and control planes of another user, such as root.

use super::folder_lock;
use super::name::Name;
use super::process::{Identity, with_argument};
use super::state::{State, own_arguments};
use crate::Error;
use crate::error::hint;
use crate::system;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Returns true if the control plane in `directory` runs on another machine or in another container that shares the
/// folder. `state` is its recorded state, if readable.
pub(super) fn runs_elsewhere(directory: &Path, state: Option<&State>) -> bool {
    folder_lock::is_held(directory)
        && match state {
            Some(state) => !state.owner().is_some_and(Identity::is_of_this_system),
            None => with_argument(&own_arguments(directory)).is_empty(),
        }
}

/// Returns the error for a control plane that runs on another machine or in another container.
pub(super) fn runs_elsewhere_error(name: &Name) -> Error {
    Error::conflict(format!("control plane `{name}` runs on another machine, or in another container"))
        .caused_by(
            "both systems share the folder of the control plane, but its processes are not visible on this system",
        )
        .hint(hint!(
            "opctl envtest stop --name {name}    # run this on the machine or in the container that runs the control \
             plane\nor, to keep this system's control planes apart: export XDG_STATE_HOME=\"$PWD/.state\"",
            name
        ))
}

/// Returns true if `directory` contains files of another user's servers, so that the current user can neither end
/// the servers nor remove the files.
pub(super) fn lacks_rights(directory: &Path) -> bool {
    if system::is_root() {
        return false;
    }
    let mut entries = match fs::read_dir(directory) {
        Ok(entries) => entries.flatten(),
        Err(error) => return error.kind() == ErrorKind::PermissionDenied,
    };
    // A network file system may show one other owner for all files.
    let Ok(folder) = fs::metadata(directory) else { return false };
    entries.any(|entry| entry.metadata().is_ok_and(|found| !system::have_one_owner(&found, &folder)))
}

/// Returns the error for a subcommand of `opctl envtest`, such as `stop`, that needs the rights of another user.
pub(super) fn needs_root(command: &str, name: &Name) -> Error {
    Error::environment(format!("control plane `{name}` runs as another user, such as root")).hint(hint!(
        "sudo env \"HOME=$HOME\" \"PATH=$PATH\" opctl envtest {command} --name {name}",
        command,
        name
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_runs_elsewhere_while_an_unknown_process_holds_its_folder() {
        let root = tempfile::tempdir().unwrap();
        let mut state = State::starting(&[]);
        let lock = folder_lock::take(root.path()).unwrap();
        assert!(!runs_elsewhere(root.path(), Some(&state)));
        state.processes[0].identity.started = "1@another".to_owned();
        assert!(runs_elsewhere(root.path(), Some(&state)) && !state.alive());
        assert!(runs_elsewhere(root.path(), None), "its state is damaged");
        drop(lock);
        assert!(!runs_elsewhere(root.path(), Some(&state)) && !runs_elsewhere(root.path(), None));
    }
}
