//! The process behind a detached control plane: it starts the servers, watches over them, and ends them all when one
//! ends, when it is asked to, or when its folder is taken away.

use super::limits::Limits;
use super::plane::{Plane, Recipe};
use super::programs::Programs;
use super::state::{State, discard, write_private};
use crate::report::ErrorDocument;
use crate::{Error, Result};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// The hidden command of `opctl envtest` that [`supervise`] serves.
pub const COMMAND: &str = "__supervise";

/// How often the servers are looked at.
const ROUND: Duration = Duration::from_millis(100);
const FAILURE: &str = "failure.json";

/// What a supervisor is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supervision {
    /// The control plane's folder, which exists.
    pub directory: PathBuf,
    /// Where ports are reserved.
    pub ports: PathBuf,
    /// etcd's program.
    pub etcd: PathBuf,
    /// kube-apiserver's program.
    pub api_server: PathBuf,
    /// What the user adds to kube-apiserver's arguments.
    pub apiserver_arguments: Vec<String>,
}

/// Runs a control plane until it is asked to end. To be called from the main thread of a process of its own.
pub fn supervise(supervision: &Supervision) -> Result<()> {
    let directory = &supervision.directory;
    let outcome = begin(supervision).and_then(|(mut plane, signals)| watch(&mut plane, &signals));
    match outcome {
        Ok(()) => discard(directory),
        // Left for the one who started it, who removes the folder.
        Err(error) if !is_ready(directory) => leave(directory, &error),
        Err(error) => discard(directory).and(Err(error)),
    }
}

fn begin(supervision: &Supervision) -> Result<(Plane, Receiver<()>)> {
    // Out of the terminal's reach: neither its Ctrl+C nor its end is meant for a detached control plane.
    rustix::process::setsid().map_err(|error| Error::bug("cannot leave the terminal's session").source(&error))?;
    let signals = signals()?;
    State::starting(&supervision.apiserver_arguments).write(&supervision.directory)?;
    let programs = Programs {
        etcd: supervision.etcd.clone(),
        api_server: supervision.api_server.clone(),
        controller_manager: None,
    };
    let recipe = Recipe {
        directory: supervision.directory.clone(),
        ports: supervision.ports.clone(),
        programs,
        apiserver_arguments: supervision.apiserver_arguments.clone(),
        limits: Limits::of_this_process()?,
    };
    Ok((Plane::start(&recipe)?, signals))
}

fn watch(plane: &mut Plane, signals: &Receiver<()>) -> Result<()> {
    loop {
        match signals.recv_timeout(ROUND) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => {
                plane.stop();
                return Ok(());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if !plane.directory().exists() {
            // Nobody could find it any more.
            plane.stop();
            return Ok(());
        }
        if let Err(error) = plane.check() {
            plane.stop();
            return Err(error);
        }
    }
}

/// Receives something once the process is asked to end.
fn signals() -> Result<Receiver<()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let failed = |error: std::io::Error| Error::bug("cannot listen to signals").source(&error);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let (mut terminate, mut interrupt) = {
        let _context = runtime.enter();
        (signal(SignalKind::terminate()).map_err(failed)?, signal(SignalKind::interrupt()).map_err(failed)?)
    };
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        runtime.block_on(async {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        });
        // The receiver is gone only if the process is ending.
        let _ = sender.send(());
    });
    Ok(receiver)
}

fn is_ready(directory: &Path) -> bool {
    State::read(directory).ok().flatten().is_some_and(|state| state.phase == super::Phase::Ready)
}

fn leave(directory: &Path, error: &Error) -> Result<()> {
    let document = serde_json::to_string(&ErrorDocument::from(error)).unwrap_or_default();
    write_private(&directory.join(FAILURE), &document)
}

/// Why the control plane in `directory` did not start, if its supervisor has said so.
pub(super) fn failure(directory: &Path) -> Option<Error> {
    let text = std::fs::read_to_string(directory.join(FAILURE)).ok()?;
    let document: serde_json::Value = serde_json::from_str(&text).ok()?;
    let error = Error::environment(document["message"].as_str()?);
    let causes = document["causes"].as_array().into_iter().flatten().filter_map(serde_json::Value::as_str);
    let error = causes.fold(error, Error::caused_by);
    Some(match document["hint"].as_str() {
        Some(hint) => error.hint(hint),
        None => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_reaches_the_one_who_started() {
        let folder = tempfile::tempdir().unwrap();
        assert!(failure(folder.path()).is_none());
        let error = Error::environment("`etcd` ended").caused_by("one").caused_by("two").hint("mend");
        leave(folder.path(), &error).unwrap();
        let read = failure(folder.path()).unwrap();
        assert_eq!(read.message(), "`etcd` ended");
        assert_eq!(read.causes(), ["one", "two"]);
        assert_eq!(read.hint_text(), Some("mend"));
    }
}
