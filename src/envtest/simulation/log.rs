//! The log of the simulated node, and the handling of reconcile errors that are written to it.

use crate::Result;
use crate::envtest::state::create_file;
use futures_util::{Stream, StreamExt};
use k8s_openapi::jiff::Timestamp;
use kube::ResourceExt;
use kube::runtime::controller::{Action, Error as PassError};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A log of the simulation's errors. The simulation always retries after an error.
#[derive(Clone, Debug)]
pub(super) struct Log(Arc<Mutex<File>>);

impl Log {
    pub(super) fn open(path: &Path) -> Result<Self> {
        Ok(Log(Arc::new(Mutex::new(create_file(path)?))))
    }

    pub(super) fn write_failure(&self, what: &str, error: &dyn std::fmt::Display) {
        let mut file = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // The servers report a full disk.
        let _ = writeln!(file, "{} {what}: {error}", Timestamp::now());
    }
}

/// Logs the error of a failed reconcile, and requeues the object.
pub(super) fn log_and_requeue(log: &Log, object: &impl ResourceExt, error: &kube::Error) -> Action {
    log.write_failure(&format!("{}/{}", object.namespace().unwrap_or_default(), object.name_any()), error);
    Action::requeue(Duration::from_secs(1))
}

/// Runs a controller by reading its stream `passes` to the end, and logs the errors of its watches and of its queue.
/// [`log_and_requeue`] logs the failed reconciles.
pub(super) async fn drain<T, E, Q>(passes: impl Stream<Item = std::result::Result<T, PassError<E, Q>>>, log: &Log)
where
    E: std::error::Error + 'static,
    Q: std::error::Error + 'static,
{
    let tell = |pass: std::result::Result<T, PassError<E, Q>>| {
        if let Err(error @ (PassError::QueueError(_) | PassError::RunnerError(_))) = pass {
            log.write_failure("watch", &error);
        }
        std::future::ready(())
    };
    passes.for_each(tell).await;
}
