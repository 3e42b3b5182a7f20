//! The recorded state of a control plane, with which a later opctl process finds the control plane or its remains.
//!
//! A control plane's folder is renamed before its files are deleted, so that no process finds it half removed.

use super::container_runtime::ContainerRuntime;
use super::process::{Identity, with_argument};
use super::{arguments, node_cgroups};
use crate::error::{file_error, hint};
use crate::reading::{self, Limit};
use crate::system::{self, Signal};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

const FILE: &str = "state.json";
/// The prefix of the folders that are being removed. Their names end with the id of the process that removes them.
pub(super) const GONE: &str = ".gone-";
/// The name of the process that owns a control plane and watches over it.
pub(super) const SUPERVISOR: &str = "supervisor";

/// The phase of a control plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Phase {
    /// The servers are being started.
    Starting,
    /// The control plane is ready to answer requests.
    Ready,
}

/// A process of a control plane, as recorded in the control plane's state file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// The name `supervisor` or the name of a server's program, such as `kube-apiserver`.
    pub name: String,
    /// The identity of the process.
    #[serde(flatten)]
    pub identity: Identity,
}

/// The recorded state of a control plane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    /// The phase of the control plane.
    pub phase: Phase,
    /// The processes of the control plane. The owner comes first.
    pub processes: Vec<Process>,
    /// The URL of the API server; empty until the control plane is ready.
    pub server: String,
    /// The version of Kubernetes that the API server reports, such as `v1.36.4`.
    pub kubernetes: String,
    /// The user's additional arguments for the API server.
    pub apiserver_arguments: Vec<String>,
    /// True if pods appear to run on a simulated node.
    #[serde(default)]
    pub simulated_nodes: bool,
    /// The process id of the first process in the real node's namespaces; `None` without a real node.
    #[serde(default)]
    pub node: Option<u32>,
    /// The container runtime of the real node.
    #[serde(default)]
    pub container_runtime: ContainerRuntime,
    /// The host and port of the registry from which the node pulls images, as written in image names, such as
    /// `localhost:5000`; `None` without a registry.
    #[serde(default)]
    pub registry: Option<String>,
}

impl State {
    /// Returns the initial state of a control plane that this process starts.
    pub fn starting(apiserver_arguments: &[String]) -> Self {
        let supervisor = Process { name: SUPERVISOR.to_owned(), identity: Identity::of_this_process() };
        State {
            phase: Phase::Starting,
            processes: vec![supervisor],
            server: String::new(),
            kubernetes: String::new(),
            apiserver_arguments: apiserver_arguments.to_vec(),
            simulated_nodes: false,
            node: None,
            container_runtime: ContainerRuntime::default(),
            registry: None,
        }
    }

    /// Reads the state in `directory`. Returns `None` if there is no state; fails if the state is damaged.
    pub fn read(directory: &Path) -> Result<Option<Self>> {
        let path = directory.join(FILE);
        let text = match reading::text(&path, Limit::Settings) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(state_error("read", &path, &error)),
        };
        let name = directory.file_name().unwrap_or_default().to_string_lossy();
        serde_json::from_str(&text).map(Some).map_err(|error| {
            Error::environment(format!("the state of control plane `{name}` is damaged: `{}`", path.display()))
                .caused_by(error)
                .hint(hint!("opctl envtest stop --name {name}", name))
        })
    }

    /// Returns true if `directory` contains a state file, even a damaged one.
    pub(super) fn is_in(directory: &Path) -> bool {
        directory.join(FILE).exists()
    }

    /// Writes the state file in `directory` atomically.
    pub fn write(&self, directory: &Path) -> Result<()> {
        let path = directory.join(FILE);
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| Error::bug("the state cannot be converted to JSON").source(&error))?;
        let failed = |error: std::io::Error| state_error("write", &path, &error);
        let mut file = tempfile::NamedTempFile::new_in(directory).map_err(failed)?;
        file.write_all(text.as_bytes()).map_err(failed)?;
        system::give_file(file.as_file(), &path).map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// Returns true if the control plane is running, with all its processes, or is being started by a running owner. If
    /// it returns false, the control plane is being stopped, or its remains must be removed.
    pub fn alive(&self) -> bool {
        match self.phase {
            // While servers are started, a server may end and be started again on another port.
            Phase::Starting => self.owner().is_some_and(Identity::alive),
            Phase::Ready => self.processes.iter().all(|process| process.identity.alive()),
        }
    }

    /// Returns the process that owns the control plane.
    pub fn owner(&self) -> Option<&Identity> {
        self.processes.iter().find(|process| process.name == SUPERVISOR).map(|process| &process.identity)
    }
}

/// Kills the remaining processes of the control plane in `directory`, and removes the folder. If `state` is `None`,
/// finds the processes by their arguments.
pub(super) fn remove_control_plane(directory: &Path, state: Option<&State>) -> Result<()> {
    let known = state.map(|state| state.processes.iter().map(|process| process.identity.clone()).collect());
    let processes: Vec<Identity> = known.unwrap_or_else(|| with_argument(&own_arguments(directory)));
    // The owner is killed first, so that it cannot react to the end of the others.
    for process in &processes {
        process.signal(Signal::Kill);
    }
    for process in &processes {
        process.wait(Duration::from_secs(5));
    }
    discard(directory)
}

/// Returns the arguments that identify the processes of the control plane in `directory`. The folder alone does not
/// identify them, because processes that use the control plane may also have the folder on their command line.
pub(super) fn own_arguments(directory: &Path) -> Vec<String> {
    vec![
        directory_argument(directory),
        arguments::etcd_data(directory),
        arguments::certificates(directory),
        arguments::controller_manager_kubeconfig(directory),
    ]
}

/// Removes a control plane's folder. Renames the folder first, so that no other process finds it half removed. If
/// processes remain in the node's cgroup, keeps the renamed folder, so that the next command tries again.
pub(super) fn discard(directory: &Path) -> Result<()> {
    discard_after(directory, |patience| node_cgroups::remove(directory, patience))
}

fn discard_after(directory: &Path, remove_cgroup: impl FnOnce(Duration) -> bool) -> Result<()> {
    // An interrupted opctl removes the same folder from two threads, and ends with the first that finishes.
    static REMOVING: Mutex<()> = Mutex::new(());
    let _removing = REMOVING.lock();
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    let kept = name.strip_prefix(GONE).and_then(|name| name.rsplit_once('-'));
    let name = kept.map_or(&*name, |(name, _)| name);
    let gone = directory.with_file_name(format!("{GONE}{name}-{}", std::process::id()));
    match fs::rename(directory, &gone) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(state_error("remove", directory, &error)),
    }
    // Later commands are not kept waiting for a process that does not end.
    let patience = if kept.is_some() { Duration::ZERO } else { node_cgroups::PATIENCE };
    if gone.join(node_cgroups::MARK).exists() && !remove_cgroup(patience) {
        return Ok(());
    }
    match fs::remove_dir_all(&gone) {
        // A command of another machine has removed the rest.
        Err(error) if error.kind() != ErrorKind::NotFound => Err(state_error("remove", &gone, &error)),
        _ => Ok(()),
    }
}

/// Creates a folder that only this user can read, because it contains private keys.
pub(super) fn make_private(directory: &Path) -> Result<()> {
    system::create_private_folder(directory).map_err(|error| state_error("make the folder", directory, &error))
}

/// Writes a file that only this user can read.
pub(super) fn write_private(path: &Path, text: &str) -> Result<()> {
    system::write_private_file(path, text).map_err(|error| state_error("write", path, &error))
}

/// Creates or empties a file that only this user can read, such as a server's log, which may contain secrets.
pub(super) fn create_file(path: &Path) -> Result<File> {
    system::create_private_file(path).map_err(|error| state_error("write", path, &error))
}

/// Returns the error for a failed operation on the files of control planes, with a hint.
pub(super) fn state_error(verb: &str, path: &Path, error: &std::io::Error) -> Error {
    let failure = file_error(verb, path, error);
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => failure,
        _ => failure.hint("keep the state elsewhere: export XDG_STATE_HOME=\"$PWD/.state\""),
    }
}

/// The lock of a control plane's name. Only the holder of the lock may start, stop or reap the control plane.
#[derive(Debug)]
pub(super) struct NameLock {
    file: File,
    path: PathBuf,
}

impl NameLock {
    /// Opens the lock file of `name` in `states`, the folder of all control planes.
    pub(super) fn open(states: &Path, name: &str) -> Result<Self> {
        let locks = states.join(".locks");
        system::create_private_folders(&locks).map_err(|error| state_error("make the folder", &locks, &error))?;
        let path = locks.join(name);
        let file = create_file(&path)?;
        Ok(NameLock { file, path })
    }

    /// Takes the lock if no other process holds the lock. Returns true if the lock was taken.
    pub(super) fn try_take(&self) -> bool {
        self.file.try_lock().is_ok()
    }

    /// Waits for the lock and takes it.
    pub(super) fn take(&self) -> Result<()> {
        self.file.lock().map_err(|error| state_error("lock", &self.path, &error))
    }
}

/// Returns the `--directory` argument of the supervisor of the control plane in `directory`. No other process has
/// this argument on its command line.
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

    #[test]
    fn a_folder_is_kept_until_the_cgroup_of_its_node_is_removed() {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join("one-two");
        make_private(&directory).unwrap();
        write_private(&directory.join(node_cgroups::MARK), "").unwrap();
        let gone = root.path().join(format!(".gone-one-two-{}", std::process::id()));
        for kept in [&directory, &gone] {
            discard_after(kept, |_| false).unwrap();
            assert!(gone.join(node_cgroups::MARK).exists() && !directory.exists());
        }
        let of_another_process = root.path().join(".gone-one-two-1");
        fs::rename(&gone, &of_another_process).unwrap();
        discard_after(&of_another_process, |_| true).unwrap();
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }
}
