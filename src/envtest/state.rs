//! The recorded state of a control plane, by which any later opctl finds it or its remains.
//!
//! A folder of a control plane appears with its state and vanishes whole: it is renamed away before it is emptied.

use super::arguments;
use super::process::{Identity, with_argument};
use crate::error::file_error;
use crate::system::{self, Signal};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

const FILE: &str = "state.json";
/// The process that owns a control plane and watches over it.
pub(super) const SUPERVISOR: &str = "supervisor";

/// The phase of a control plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Phase {
    /// Its servers are being started.
    Starting,
    /// It answers.
    Ready,
}

/// One process of a control plane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// The supervisor or the server's program, such as `kube-apiserver`.
    pub name: String,
    /// The process.
    #[serde(flatten)]
    pub identity: Identity,
}

/// The state of one control plane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    /// Its phase.
    pub phase: Phase,
    /// Its processes, the owner first.
    pub processes: Vec<Process>,
    /// The API server's URL, once it is ready.
    pub server: String,
    /// The version of Kubernetes that it says it is, such as `v1.36.4`.
    pub kubernetes: String,
    /// Arguments that the user added to the API server's.
    pub apiserver_arguments: Vec<String>,
    /// True if a simulated node makes pods run.
    #[serde(default)]
    pub simulated_nodes: bool,
}

impl State {
    /// The state of a control plane that this process begins to start.
    pub fn starting(apiserver_arguments: &[String]) -> Self {
        let supervisor = Process { name: SUPERVISOR.to_owned(), identity: Identity::of_this_process() };
        State {
            phase: Phase::Starting,
            processes: vec![supervisor],
            server: String::new(),
            kubernetes: String::new(),
            apiserver_arguments: apiserver_arguments.to_vec(),
            simulated_nodes: false,
        }
    }

    /// Reads the state in `directory`. None if there is none; an error if it is damaged.
    pub fn read(directory: &Path) -> Result<Option<Self>> {
        let path = directory.join(FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(state_error("read", &path, &error)),
        };
        let name = directory.file_name().unwrap_or_default().to_string_lossy();
        serde_json::from_str(&text).map(Some).map_err(|error| {
            Error::environment(format!("the state of control plane `{name}` is damaged: `{}`", path.display()))
                .caused_by(error)
                .hint(format!("opctl envtest stop --name {name}"))
        })
    }

    /// Writes the state into `directory`, whole or not at all.
    pub fn write(&self, directory: &Path) -> Result<()> {
        let path = directory.join(FILE);
        let text =
            serde_json::to_string_pretty(self).map_err(|error| Error::bug("state is not JSON").source(&error))?;
        let failed = |error: std::io::Error| state_error("write", &path, &error);
        let mut file = tempfile::NamedTempFile::new_in(directory).map_err(failed)?;
        file.write_all(text.as_bytes()).map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// Returns true if it runs as it should: a plane of which one process is missing is being ended, or is to be.
    pub fn alive(&self) -> bool {
        match self.phase {
            // While servers are started, one may end and be tried again on another port.
            Phase::Starting => self.owner().is_some_and(Identity::alive),
            Phase::Ready => self.processes.iter().all(|process| process.identity.alive()),
        }
    }

    /// The process that watches over it.
    pub fn owner(&self) -> Option<&Identity> {
        self.processes.iter().find(|process| process.name == SUPERVISOR).map(|process| &process.identity)
    }
}

/// Kills what is left of the control plane in `directory`, and removes the folder. `state` is what is known about it;
/// without it processes are found by their arguments.
pub(super) fn clear(directory: &Path, state: Option<&State>) -> Result<()> {
    let known = state.map(|state| state.processes.iter().map(|process| process.identity.clone()).collect());
    let processes: Vec<Identity> = known.unwrap_or_else(|| with_argument(&own_arguments(directory)));
    // The owner comes first, so that it cannot react to the end of the others.
    for process in &processes {
        process.signal(Signal::Kill);
    }
    for process in &processes {
        process.wait(Duration::from_secs(5));
    }
    discard(directory)
}

/// Arguments that only the processes of the control plane in `directory` have: its users mention the folder too.
fn own_arguments(directory: &Path) -> Vec<String> {
    vec![
        directory_argument(directory),
        arguments::etcd_data(directory),
        arguments::certificates(directory),
        arguments::controller_manager_kubeconfig(directory),
    ]
}

/// Removes a control plane's folder. It is renamed first, so that nobody finds half of it.
pub(super) fn discard(directory: &Path) -> Result<()> {
    // An interrupted opctl removes the same folder from two threads, and ends with the first that is done.
    static REMOVING: Mutex<()> = Mutex::new(());
    let _removing = REMOVING.lock();
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    let gone = directory.with_file_name(format!(".gone-{name}-{}", std::process::id()));
    match fs::rename(directory, &gone) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(state_error("remove", directory, &error)),
    }
    fs::remove_dir_all(&gone).map_err(|error| state_error("remove", &gone, &error))
}

/// Makes a folder that only this user can read: it holds keys.
pub(super) fn make_private(directory: &Path) -> Result<()> {
    system::create_private_folder(directory).map_err(|error| state_error("make the folder", directory, &error))
}

/// Writes a file that only this user can read.
pub(super) fn write_private(path: &Path, text: &str) -> Result<()> {
    let written = system::create_private_file(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| state_error("write", path, &error))
}

/// A failed operation in the folder of all states, with the hint.
pub(super) fn state_error(verb: &str, path: &Path, error: &std::io::Error) -> Error {
    let failure = file_error(verb, path, error);
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => failure,
        _ => failure.hint("keep the state elsewhere: export XDG_STATE_HOME=\"$PWD/.state\""),
    }
}

/// The lock that starts, stops and reaps of one name take turns with.
#[derive(Debug)]
pub(super) struct NameLock {
    file: File,
    path: PathBuf,
}

impl NameLock {
    /// Opens the lock of `name` below the folder of all states.
    pub(super) fn open(states: &Path, name: &str) -> Result<Self> {
        let locks = states.join(".locks");
        fs::create_dir_all(&locks).map_err(|error| state_error("make the folder", &locks, &error))?;
        let path = locks.join(name);
        let file = File::create(&path).map_err(|error| state_error("write", &path, &error))?;
        Ok(NameLock { file, path })
    }

    /// Takes the lock if nobody holds it.
    pub(super) fn try_take(&self) -> bool {
        self.file.try_lock().is_ok()
    }

    /// Takes the lock once nobody else holds it.
    pub(super) fn take(&self) -> Result<()> {
        self.file.lock().map_err(|error| state_error("lock", &self.path, &error))
    }
}

/// The argument that names the control plane's folder: one that no other process has.
pub(super) fn directory_argument(directory: &Path) -> String {
    format!("--directory={}", directory.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_back_and_damage_is_told() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(State::read(root.path()).unwrap(), None);
        let state = State::starting(&["--v=4".to_owned()]);
        state.write(root.path()).unwrap();
        assert_eq!(State::read(root.path()).unwrap(), Some(state.clone()));
        assert!(state.alive());
        fs::write(root.path().join(FILE), "{").unwrap();
        let error = State::read(root.path()).unwrap_err();
        assert!(error.hint_text().is_some_and(|hint| hint.starts_with("opctl envtest stop --name")));
    }

    #[test]
    fn a_ready_plane_without_one_of_its_processes_is_not_alive() {
        let mut state = State::starting(&[]);
        let dead = Identity { pid: 1, started: "never".to_owned() };
        state.processes.push(Process { name: "etcd".to_owned(), identity: dead });
        assert!(state.alive());
        state.phase = Phase::Ready;
        assert!(!state.alive());
    }

    #[test]
    fn a_folder_is_discarded_once() {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join("one");
        make_private(&directory).unwrap();
        write_private(&directory.join("key"), "secret").unwrap();
        discard(&directory).unwrap();
        discard(&directory).unwrap();
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }
}
