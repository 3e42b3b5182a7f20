//! The operator that `opctl run --watch` runs on this machine.

use super::watch::Restarted;
use crate::Result;
use crate::cluster::Target;
use crate::commands::context::Context;
use crate::commands::operator_program::cargo_arguments;
use crate::commands::steps;
use crate::error::file_error;
use crate::exec::{Guarded, Interrupts, build, command_for_this_process, print_to_stderr, spawn};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

/// The time limit for an operator to end after a termination signal. It is longer than the time for which a
/// generated operator waits for its running reconciliations.
const PATIENCE: Duration = Duration::from_secs(30);

/// The settings with which `opctl run --watch` builds and runs an operator, and the cluster to use.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub(super) root: PathBuf,
    /// The cluster in which opctl installs the CRDs and the policies.
    pub(super) target: Target,
    /// The path of the kubeconfig that the operator uses, passed in the environment variable `KUBECONFIG`. If `None`,
    /// the operator inherits `KUBECONFIG` from opctl.
    pub(super) operators: Option<PathBuf>,
    pub(super) release: bool,
    pub(super) flags: Vec<OsString>,
    /// The environment variables to set for the operator in addition to `KUBECONFIG`.
    pub(super) environment: Vec<(&'static str, OsString)>,
}

/// The operator that runs now.
struct Current {
    process: Guarded,
    program: PathBuf,
    made: Option<SystemTime>,
}

/// The settings of an operator on this machine, and its process if the operator runs.
pub(super) struct OnThisMachine {
    watched: Watched,
    current: Option<Current>,
}

impl OnThisMachine {
    pub(super) fn new(watched: Watched) -> Self {
        OnThisMachine { watched, current: None }
    }

    fn end_current(&mut self, interrupts: &Interrupts, context: &Context) {
        let Some(mut current) = self.current.take() else { return };
        context.console.status("Stopping", format!("process {}", current.process.id()));
        current.process.terminate();
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE && matches!(current.process.child().try_wait(), Ok(None)) {
            if interrupts.came_within(Duration::from_millis(20)) {
                return;
            }
        }
    }
}

impl Restarted for OnThisMachine {
    fn root(&self) -> &Path {
        &self.watched.root
    }

    fn steps(&self, context: &Context) -> Box<dyn FnOnce() -> Result<PathBuf> + Send> {
        let (watched, context) = (self.watched.clone(), context.clone());
        Box::new(move || {
            steps::manifests(&context, &[])?;
            steps::install(&context, &watched.root, &watched.target)?;
            steps::policies(&context, &watched.root, &watched.target)?;
            context.console.command("cargo build");
            let program = cargo_arguments(&watched.root);
            let mut arguments: Vec<&str> = program.iter().map(String::as_str).collect();
            arguments.extend(watched.release.then_some("--release"));
            arguments.extend((!context.console.talkative()).then_some("--quiet"));
            build(&watched.root, &arguments, None)
        })
    }

    /// Starts `program` in place of the running operator. Does nothing if the running operator is the same build of
    /// `program`.
    fn renew(&mut self, program: &Path, told: &str, interrupts: &Interrupts, context: &Context) -> Result<()> {
        let made = std::fs::metadata(program).and_then(|metadata| metadata.modified()).ok();
        let current = self.current.as_ref();
        if current.is_some_and(|current| current.program == program && current.made == made) {
            context.console.status("Unchanged", format!("the operator keeps running; {told}"));
            return Ok(());
        }
        self.end_current(interrupts, context);
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let failed = |error: &std::io::Error| file_error("run", program, error);
        let mut command = command_for_this_process(program).map_err(|error| failed(&error))?;
        command.args(&self.watched.flags).current_dir(&self.watched.root).stdin(Stdio::null());
        command.envs(self.watched.environment.iter().map(|(name, value)| (name, value)));
        if let Some(kubeconfig) = &self.watched.operators {
            command.env("KUBECONFIG", kubeconfig);
        }
        if context.console.json() {
            print_to_stderr(&mut command);
        }
        let process = spawn(&mut command).map_err(|error| failed(&error))?;
        context.console.status("Running", format!("{name} (process {}), {told}", process.id()));
        self.current = Some(Current { process, program: program.to_owned(), made });
        Ok(())
    }

    fn ended(&mut self) -> Option<String> {
        let ended = self.current.take_if(|current| !matches!(current.process.child().try_wait(), Ok(None)))?;
        Some(ended.process.wait().map(|status| status.to_string()).unwrap_or_default())
    }

    fn runs(&self) -> bool {
        self.current.is_some()
    }

    fn stop(&mut self, interrupts: &Interrupts, context: &Context) -> String {
        let summary =
            if self.runs() { "the operator has stopped" } else { "interrupted: the operator was not running" };
        self.end_current(interrupts, context);
        summary.to_owned()
    }
}
