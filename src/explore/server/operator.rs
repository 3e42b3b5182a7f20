//! The operator's process, which is started, suspended and killed, and its log.

use crate::error::Hint;
use crate::exec::{Guarded, command_for_this_process, spawn};
use crate::{Error, Result};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The command that starts the operator.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The path of the operator's program.
    pub program: PathBuf,
    /// The arguments with which the operator's program starts.
    pub arguments: Vec<String>,
    /// The working directory of the program.
    pub directory: PathBuf,
    /// The command line that runs the operator without an exploration, for hints.
    pub by_hand: Hint,
    /// The command line that explores this operator, without the flags that choose plans.
    pub again: Hint,
    /// True if opctl can store fault plans in the operator's project, so that `opctl test` runs the plans again later.
    pub remembers: bool,
}

/// The beginning of the description of a process that ended without being killed.
pub const ENDS: &str = "ends by itself";

/// A line of the log, with its time since the run began.
pub type Line = (Duration, String);

/// The operator of one run, whose process ends when this value is dropped.
pub struct Operator {
    launch: Launch,
    kubeconfig: PathBuf,
    namespace: String,
    environment: Environment,
    begun: Instant,
    process: Mutex<Option<Guarded>>,
    log: Arc<Mutex<Vec<Line>>>,
}

/// Environment variables with which an operator starts, in addition to the inherited ones.
pub type Environment = &'static [(&'static str, &'static str)];

impl Launch {
    /// Returns the command that starts the operator with this kubeconfig, for an operator in `namespace`.
    ///
    /// # Errors
    /// Fails if the program of opctl, through which the operator is started, is not found.
    pub fn command(&self, kubeconfig: &Path, namespace: &str) -> std::io::Result<Command> {
        let mut command = command_for_this_process(&self.program)?;
        command
            .args(&self.arguments)
            .current_dir(&self.directory)
            .env("KUBECONFIG", kubeconfig)
            .env("POD_NAMESPACE", namespace);
        // Several operators run at the same time, and would compete for the port of their webhooks, which are not
        // called here.
        command.env("WEBHOOK_BIND_ADDRESS", "0").env("NO_COLOR", "1");
        for name in [
            "RUST_LOG",
            "HTTP_PROXY",
            "http_proxy",
            "HTTPS_PROXY",
            "https_proxy",
            "ALL_PROXY",
            "all_proxy",
            "KUBERNETES_SERVICE_HOST",
            "KUBERNETES_SERVICE_PORT",
            // An error must be readable in a few lines of the log.
            "RUST_BACKTRACE",
        ] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Ok(command)
    }
}

impl Operator {
    pub fn new(launch: Launch, kubeconfig: PathBuf, namespace: String, environment: Environment) -> Operator {
        let (process, log) = (Mutex::new(None), Arc::default());
        Operator { launch, kubeconfig, namespace, environment, begun: Instant::now(), process, log }
    }

    /// Returns another replica of the operator, which has not started yet. Both replicas write to the same log.
    pub fn replica(&self, kubeconfig: PathBuf, environment: Environment) -> Operator {
        let log = Arc::clone(&self.log);
        Operator {
            begun: self.begun,
            log,
            ..Operator::new(self.launch.clone(), kubeconfig, self.namespace.clone(), environment)
        }
    }

    /// Returns the path of the kubeconfig with which the operator starts.
    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    fn process(&self) -> MutexGuard<'_, Option<Guarded>> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the process of the operator.
    pub fn start(&self) -> Result<()> {
        let program = &self.launch.program;
        let failed =
            |error: std::io::Error| Error::environment(format!("cannot start `{}`", program.display())).source(&error);
        let mut command = self.launch.command(&self.kubeconfig, &self.namespace).map_err(failed)?;
        // With one thread, the order of the operator's work is repeatable.
        command.env("TOKIO_WORKER_THREADS", "1").envs(self.environment.iter().copied());
        let mut process = spawn(&mut command).map_err(failed)?;
        if let Some(stdout) = process.child().stdout.take() {
            self.read(stdout);
        }
        if let Some(stderr) = process.child().stderr.take() {
            self.read(stderr);
        }
        *self.process() = Some(process);
        Ok(())
    }

    /// Adds the lines of a pipe to the log until the pipe is closed.
    fn read(&self, pipe: impl Read + Send + 'static) {
        let (log, begun) = (Arc::clone(&self.log), self.begun);
        std::thread::spawn(move || {
            for line in BufReader::new(pipe).lines().map_while(std::result::Result::ok) {
                log.lock().unwrap_or_else(PoisonError::into_inner).push((begun.elapsed(), line));
            }
        });
    }

    /// Kills the process with all its child processes, as the failure of a node would.
    pub fn kill(&self) {
        *self.process() = None;
    }

    /// Suspends the process if `suspended` is true, and resumes it otherwise.
    pub fn suspend(&self, suspended: bool) {
        if let Some(process) = &*self.process() {
            process.suspend(suspended);
        }
    }

    /// Returns a description of how the process ended; `None` if the process is running.
    pub fn exit_description(&self) -> Option<String> {
        let mut process = self.process();
        let Some(running) = &mut *process else { return Some("killed".to_owned()) };
        match running.child().try_wait() {
            Ok(None) => None,
            Ok(Some(status)) => {
                *process = None;
                Some(format!("{ENDS}: {status}"))
            }
            Err(error) => Some(format!("the state of the process cannot be read: {error}")),
        }
    }

    /// Returns the time since the operator wrote the last line of the log, or since the run began if the log is empty.
    pub fn silent_for(&self) -> Duration {
        let last = self.log.lock().unwrap_or_else(PoisonError::into_inner).last().map(|(at, _)| *at);
        self.begun.elapsed().saturating_sub(last.unwrap_or_default())
    }

    /// Returns the log so far.
    pub fn log(&self) -> Vec<Line> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
