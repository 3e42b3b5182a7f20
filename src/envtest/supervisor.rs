//! The process that owns a detached control plane. It starts and monitors the servers, and stops all of them when a
//! server ends, the process receives a termination signal, or the control plane's folder or state is removed.

use super::container_runtime::ContainerRuntime;
use super::folder_lock;
use super::limits::Limits;
use super::node::{NodePrograms, NodeSettings};
use super::plane::{Plane, Recipe};
use super::programs::Programs;
use super::state::{State, discard};
use crate::error::Hint;
use crate::exec;
use crate::system::{self, Requests};
use crate::{Error, Result};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// The hidden subcommand of `opctl envtest` that calls [`supervise`].
pub const COMMAND: &str = "__supervise";

/// The interval at which the servers are checked.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Options of a supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supervision {
    /// The control plane's folder, which must exist.
    pub directory: PathBuf,
    /// The folder in which ports are reserved.
    pub ports: PathBuf,
    /// The path of etcd.
    pub etcd: PathBuf,
    /// The path of kube-apiserver.
    pub api_server: PathBuf,
    /// The path of kube-controller-manager, if the control plane has a node, real or simulated.
    pub controller_manager: Option<PathBuf>,
    /// The container runtime of a real node; `None` without a real node. The node's programs are in the folder of
    /// kube-apiserver.
    pub node: Option<ContainerRuntime>,
    /// The port of a registry on this machine from which the node pulls images; `None` for a node without a registry.
    pub registry: Option<u16>,
    /// The user's additional arguments for kube-apiserver.
    pub apiserver_arguments: Vec<String>,
}

/// Runs a control plane until this process receives a termination signal or a server ends, and then removes the control
/// plane's folder. Must be called from the main thread of a separate process. If the control plane does not start, this
/// process reports the reason as JSON to the process that started it.
pub fn supervise(supervision: &Supervision) -> Result<()> {
    let lock = folder_lock::take(&supervision.directory)?;
    let directory = supervision.directory.clone();
    // For a process with an interrupt handler of its own, which ends the servers and exits.
    exec::on_interrupt(move || {
        let _ = discard(&directory);
    });
    let outcome = start_control_plane(supervision).and_then(|(mut plane, signals)| watch(&mut plane, &signals));
    // Not every network file system removes a folder with an open file.
    drop(lock);
    outcome.and(discard(&supervision.directory))
}

fn start_control_plane(supervision: &Supervision) -> Result<(Plane, Receiver<()>)> {
    // Leave the terminal's session: neither Ctrl+C nor the end of the terminal is meant for a detached control plane.
    system::leave_terminal().map_err(|error| {
        Error::bug(
            "the supervisor of the control plane cannot leave the \
                                                         terminal's session",
        )
        .source(&error)
    })?;
    let signals = signals()?;
    State::starting(&supervision.apiserver_arguments).write(&supervision.directory)?;
    let programs = Programs {
        etcd: supervision.etcd.clone(),
        api_server: supervision.api_server.clone(),
        controller_manager: supervision.controller_manager.clone(),
    };
    let node = supervision.node.map(|container_runtime| {
        let programs = NodePrograms::beside(&programs)?;
        Some(NodeSettings { programs, container_runtime, registry: supervision.registry })
    });
    if node == Some(None) {
        return Err(
            Error::environment("the programs that the node needs are missing").hint("opctl envtest setup --node")
        );
    }
    let recipe = Recipe {
        directory: supervision.directory.clone(),
        ports: supervision.ports.clone(),
        node: node.flatten(),
        programs,
        apiserver_arguments: supervision.apiserver_arguments.clone(),
        limits: Limits::of_this_process()?,
    };
    Ok((Plane::start(&recipe)?, signals))
}

fn watch(plane: &mut Plane, signals: &Receiver<()>) -> Result<()> {
    loop {
        match signals.recv_timeout(POLL_INTERVAL) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => {
                plane.stop();
                return Ok(());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if !State::is_in(plane.directory()) {
            // No command can find the control plane without its state. Its servers may make files in a removed folder.
            plane.stop();
            return Ok(());
        }
        if let Err(error) = plane.check() {
            plane.stop();
            return Err(error);
        }
    }
}

/// Returns a channel that receives a message when this process receives a termination signal.
fn signals() -> Result<Receiver<()>> {
    let failed = |error: std::io::Error| Error::bug("cannot listen for signals").source(&error);
    let mut requests = Requests::listen().map_err(failed)?;
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        requests.wait();
        // The receiver is gone only if the process is ending.
        let _ = sender.send(());
    });
    Ok(receiver)
}

/// Returns the error that a supervisor wrote to its stdout as the JSON `report` before it ended; `None` if `report`
/// contains no error.
pub(super) fn failure(report: &str) -> Option<Error> {
    let report: serde_json::Value = serde_json::from_str(report).ok()?;
    let error = Error::environment(report["error"]["message"].as_str()?);
    let causes = report["error"]["causes"].as_array().into_iter().flatten().filter_map(serde_json::Value::as_str);
    let error = causes.fold(error, Error::caused_by);
    Some(match report["error"]["hint"].as_str() {
        // Another process of this opctl has made the hint.
        Some(hint) => error.hint(Hint::snippet(hint)),
        None => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Report;

    #[test]
    fn a_failure_reaches_the_one_who_started() {
        assert!(failure("").is_none());
        let error = Error::environment("`etcd` ended").caused_by("one").caused_by("two").hint("hint");
        let report = serde_json::to_string(&Report::failed("envtest __supervise", &error)).unwrap();
        let read = failure(&report).unwrap();
        assert_eq!(read.message(), "`etcd` ended");
        assert_eq!(read.causes(), ["one", "two"]);
        assert_eq!(read.hint_text(), Some("hint"));
    }
}
