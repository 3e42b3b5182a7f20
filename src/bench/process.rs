//! The operator's process, whose requests go through a proxy.

use super::cluster::Cluster;
use super::plan::Plan;
use super::proxy::Way;
use super::traffic::Traffic;
use crate::exec::{Guarded, spawn};
use crate::explore::{Line, Proxy, last_lines};
use crate::system::{Usage, usage_of_group};
use crate::{Error, Result};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The maximum number of log lines that are kept for error messages.
const KEPT: usize = 100;

/// The last lines of the operator's log.
type Log = Arc<Mutex<VecDeque<Line>>>;

/// A running operator process. The process is killed when this value is dropped.
pub(super) struct Process<'a> {
    plan: &'a Plan,
    guarded: Guarded,
    pub(super) traffic: Arc<Traffic>,
    pub(super) begun: Instant,
    log: Log,
    _proxy: Proxy,
}

impl Process<'_> {
    /// Opens a proxy to the API server, and starts the operator with a kubeconfig that names the proxy. `collection` is
    /// the resource of the measured objects.
    pub(super) async fn start<'a>(cluster: &Cluster, plan: &'a Plan, collection: &str) -> Result<Process<'a>> {
        let traffic = Arc::new(Traffic::new(collection.to_owned()));
        let (path, namespace) = (plan.folder.join("bench.kubeconfig"), &plan.operator_namespace);
        let way = Arc::new(Way { client: cluster.operator.clone(), traffic: Arc::clone(&traffic) });
        let answer = move |request| Arc::clone(&way).answer(request);
        let proxy = Proxy::start(&cluster.serving, &path, namespace, answer).await?;
        let program = &plan.launch.program;
        let failed =
            |error: std::io::Error| Error::environment(format!("cannot start `{}`", program.display())).source(&error);
        let mut command = plan.launch.command(&path, namespace).map_err(failed)?;
        let begun = Instant::now();
        let mut guarded = spawn(&mut command).map_err(failed)?;
        let log = Log::default();
        if let Some(stdout) = guarded.child().stdout.take() {
            read(stdout, begun, &log);
        }
        if let Some(stderr) = guarded.child().stderr.take() {
            read(stderr, begun, &log);
        }
        Ok(Process { plan, guarded, traffic, begun, log, _proxy: proxy })
    }

    /// Returns the memory and the CPU time that the operator has used so far.
    ///
    /// # Errors
    /// Fails if the operator has exited.
    pub(super) fn usage(&mut self) -> Result<Usage> {
        match self.guarded.child().try_wait() {
            Ok(Some(status)) => Err(self.with_log(Error::user(format!("the operator exited unexpectedly: {status}")))),
            // Its memory cannot be read while it ends.
            _ => Ok(usage_of_group(self.guarded.id()).unwrap_or_default()),
        }
    }

    /// Adds the last lines of the operator's log to an error.
    pub(super) fn with_log(&self, error: Error) -> Error {
        let log: Vec<Line> = self.log.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
        last_lines(&log).into_iter().fold(error, Error::caused_by).hint(self.plan.launch.by_hand.clone())
    }
}

/// Starts a thread that reads lines from `pipe` until the pipe is closed, and keeps the last lines in `log`.
fn read(pipe: impl Read + Send + 'static, begun: Instant, log: &Log) {
    let log = Arc::clone(log);
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(std::result::Result::ok) {
            let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
            if log.len() == KEPT {
                log.pop_front();
            }
            log.push_back((begun.elapsed(), line));
        }
    });
}
