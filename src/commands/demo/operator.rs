//! The operator that the demo builds and runs.

use crate::commands::steps::build_operator;
use crate::error::file_error;
use crate::exec::{Guarded, command_for_this_process, spawn};
use crate::reading::{self, Limit};
use crate::report::Console;
use crate::{Error, Result, system};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The time limit for the operator to end after a termination signal.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running operator, which ends when this value is dropped.
pub(super) struct Operator {
    process: Guarded,
    log: PathBuf,
}

impl Operator {
    /// Builds the project's operator, and starts it with `kubeconfig` and the variables in `environment`.
    pub(super) fn start(
        root: &Path,
        kubeconfig: &Path,
        environment: &[(&str, OsString)],
        console: &Console,
    ) -> Result<Self> {
        let program = build_operator(root, console)?;
        let log = kubeconfig.with_file_name("operator.log");
        let output = system::create_private_file(&log).map_err(|error| file_error("write", &log, &error))?;
        let errors = output.try_clone().map_err(|error| file_error("write", &log, &error))?;
        let mut command = command_for_this_process(&program).map_err(|error| file_error("run", &program, &error))?;
        // Any free port: another operator may run on this machine.
        command
            .args(["--health-probe-bind-address", "127.0.0.1:0"])
            .env("KUBECONFIG", kubeconfig)
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .env_remove("RUST_LOG")
            // The API server is on this machine, and kube would use a proxy for it, too.
            .env_remove("HTTPS_PROXY")
            .env_remove("https_proxy");
        let process = spawn(command.stdin(Stdio::null()).stdout(output).stderr(errors))
            .map_err(|error| file_error("run", &program, &error))?;
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        console.status("Running", format!("{name} (process {})", process.id()));
        Ok(Operator { process, log })
    }

    /// Sends the operator a termination signal, and waits until the operator has ended or the time limit is over.
    pub(super) fn stop(mut self) {
        self.process.terminate();
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE && matches!(self.process.child().try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Fails if the operator has ended.
    pub(super) fn check(&mut self) -> Result<()> {
        match self.process.child().try_wait() {
            Ok(None) => Ok(()),
            _ => Err(self.explain(Error::user("the operator exited during the demo"))),
        }
    }

    /// Waits until the operator exits unexpectedly, and returns the error about the exit.
    pub(super) async fn wait_for_unexpected_exit(&mut self) -> Error {
        while let Ok(None) = self.process.child().try_wait() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Error::user("the operator exited during the demo")
    }

    /// Adds the last lines of the operator's log to an error.
    pub(super) fn explain(&self, error: Error) -> Error {
        let log = reading::text(&self.log, Limit::Bundle).unwrap_or_default();
        let mut lines: Vec<&str> = log.lines().rev().take(10).collect();
        lines.reverse();
        let error = lines.into_iter().fold(error, |error, line| error.caused_by(format!("operator: {line}")));
        error.hint("opctl demo webserver-operator    # the same demo, and keeps the project for inspection")
    }
}
