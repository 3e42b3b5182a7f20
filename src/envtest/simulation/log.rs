//! The log of the node, and controllers that write to it.

use crate::Result;
use crate::envtest::state::state_error;
use futures_util::{Stream, StreamExt};
use k8s_openapi::jiff::Timestamp;
use kube::ResourceExt;
use kube::runtime::controller::{Action, Error as PassError};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A log of errors; the simulation retries in any case.
#[derive(Clone, Debug)]
pub(super) struct Log(Arc<Mutex<File>>);

impl Log {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = File::create(path).map_err(|error| state_error("write", path, &error))?;
        Ok(Log(Arc::new(Mutex::new(file))))
    }

    pub(super) fn failed(&self, what: &str, error: &dyn std::fmt::Display) {
        let mut file = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // A full disk is told by the servers.
        let _ = writeln!(file, "{} {what}: {error}", Timestamp::now());
    }
}

/// Tells of a failed pass, which is tried again.
pub(super) fn again(log: &Log, object: &impl ResourceExt, error: &kube::Error) -> Action {
    log.failed(&format!("{}/{}", object.namespace().unwrap_or_default(), object.name_any()), error);
    Action::requeue(Duration::from_secs(1))
}

/// Lets a controller run. Failures of passes are told where they are tried again.
pub(super) async fn drain<T, E, Q>(passes: impl Stream<Item = std::result::Result<T, PassError<E, Q>>>, log: &Log)
where
    E: std::error::Error + 'static,
    Q: std::error::Error + 'static,
{
    let tell = |pass: std::result::Result<T, PassError<E, Q>>| {
        if let Err(error @ (PassError::QueueError(_) | PassError::RunnerError(_))) = pass {
            log.failed("watch", &error);
        }
        std::future::ready(())
    };
    passes.for_each(tell).await;
}
