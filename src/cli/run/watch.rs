//! `opctl run --watch`: manifests, install and the operator again whenever a source changes.

use super::inputs::Inputs;
use crate::cli::context::{Context, tell};
use crate::cli::operator_program::cargo_arguments;
use crate::cli::steps;
use crate::cluster::Target;
use crate::envtest::ControlPlane;
use crate::error::file_error;
use crate::exec::{
    Guarded, Interrupts, build, command_for_this_process, interrupts, print_to_stderr, sources_of, spawn,
};
use crate::report::{Outcome, Report};
use crate::system::with_large_stack;
use crate::{Error, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

/// The time between two polls: a change has settled when two polls in a row agree.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// The time limit for an operator to end: more than the generated operator gives its reconciliations.
const PATIENCE: Duration = Duration::from_secs(30);

/// An operator to run, and its cluster.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub(super) root: PathBuf,
    pub(super) kubeconfig: Option<PathBuf>,
    /// The context to install to.
    pub(super) context: Option<String>,
    /// The kubeconfig that the operator is given.
    pub(super) operators: Option<PathBuf>,
    pub(super) release: bool,
    pub(super) flags: Vec<OsString>,
    /// Further environment variables of the operator.
    pub(super) environment: Vec<(&'static str, OsString)>,
}

/// The operator that runs now.
struct Current {
    process: Guarded,
    program: PathBuf,
    made: Option<SystemTime>,
}

/// A build on a thread of its own, so that an interrupt is answered meanwhile.
struct Making {
    thread: JoinHandle<Result<PathBuf>>,
    begun: Instant,
    /// The source that changed.
    cause: Option<PathBuf>,
}

impl Making {
    /// Describes how long the build took, and which change it followed.
    fn told(&self) -> String {
        let after = self.cause.as_ref().map(|path| format!(" after {}", path.display())).unwrap_or_default();
        format!("built in {:.1} s{after}", self.begun.elapsed().as_secs_f64())
    }
}

/// Runs the operator until it is interrupted, and builds it again whenever one of its sources changes. If a build
/// fails, the running operator goes on.
pub(super) fn watch(watched: &Watched, mut plane: Option<&mut ControlPlane>, context: &Context) -> Result<Report> {
    let interrupts = interrupts();
    let mut current: Option<Current> = None;
    // The sources that cargo names, read once for each build: another checkout may build into the same folder.
    let mut sources = Vec::new();
    let mut seen = Inputs::now(&watched.root, &sources);
    let mut built = seen.clone();
    let mut making = Some(make(watched, None, context));
    loop {
        if interrupts.came_within(POLL_INTERVAL) {
            let ended = if current.is_some() { "the operator has stopped" } else { "interrupted: no operator ran" };
            stop(current, &interrupts, context);
            return Ok(Report::new("run", Outcome::Interrupted).summary(ended));
        }
        if let Some(plane) = &mut plane {
            plane.check()?;
        }
        if let Some(made) = making.take_if(|making| making.thread.is_finished()) {
            let told = made.told();
            match made.thread.join().unwrap_or_else(|_| Err(Error::bug("a build has a defect"))) {
                Ok(made) => {
                    current = renew(current, (&made, &told), watched, &interrupts, context)?;
                    sources = sources_of(&made);
                    // Sources that only the new program names count as unchanged.
                    let now = Inputs::now(&watched.root, &sources);
                    built = built.clone().with_new(&now);
                    seen = now;
                }
                Err(error) => {
                    tell("run", &error, &context.console);
                    let state = if current.is_some() { "the operator as it was goes on" } else { "no operator runs" };
                    context.console.status("Waiting", format!("for a change; {state}"));
                }
            }
        }
        if let Some(ended) = current.take_if(|current| !matches!(current.process.child().try_wait(), Ok(None))) {
            let status = ended.process.wait().map(|status| status.to_string()).unwrap_or_default();
            tell("run", &Error::user("the operator ended by itself").caused_by(status), &context.console);
            context.console.status("Waiting", "for a change; no operator runs");
        }
        let now = Inputs::now(&watched.root, &sources);
        let settled = now == seen;
        seen = now;
        if making.is_none()
            && settled
            && let Some(path) = seen.changed(&built)
        {
            let path = path.strip_prefix(&watched.root).unwrap_or(path).to_owned();
            context.console.status("Changed", path.display());
            built = seen.clone();
            making = Some(make(watched, Some(path), context));
        }
    }
}

/// Starts manifests, install and build on a thread.
fn make(watched: &Watched, cause: Option<PathBuf>, context: &Context) -> Making {
    let begun = Instant::now();
    let (watched, context) = (watched.clone(), context.clone());
    let steps = move || {
        steps::manifests(&context, &[])?;
        steps::install(&context, &watched.root, watched.kubeconfig.as_deref(), watched.context.as_deref())?;
        let kubeconfig = watched.kubeconfig.clone();
        let target = Target { kubeconfig, context: watched.context.clone(), ..Target::default() };
        steps::policies(&context, &watched.root, &target)?;
        context.console.command("cargo build");
        let program = cargo_arguments(&watched.root);
        let mut arguments: Vec<&str> = program.iter().map(String::as_str).collect();
        arguments.extend(watched.release.then_some("--release"));
        arguments.extend((!context.console.talkative()).then_some("--quiet"));
        build(&watched.root, &arguments, None)
    };
    let thread = std::thread::spawn(move || with_large_stack(steps));
    Making { thread, begun, cause }
}

/// Replaces the running operator by the program, unless that is the same program; `told` says how it was built.
fn renew(
    current: Option<Current>,
    (program, told): (&Path, &str),
    watched: &Watched,
    interrupts: &Interrupts,
    context: &Context,
) -> Result<Option<Current>> {
    let made = std::fs::metadata(program).and_then(|metadata| metadata.modified()).ok();
    if current.as_ref().is_some_and(|current| current.program == program && current.made == made) {
        context.console.status("Unchanged", format!("the operator goes on; {told}"));
        return Ok(current);
    }
    stop(current, interrupts, context);
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let failed = |error: &std::io::Error| file_error("run", program, error);
    let mut command = command_for_this_process(program).map_err(|error| failed(&error))?;
    command.args(&watched.flags).current_dir(&watched.root).stdin(Stdio::null());
    command.envs(watched.environment.iter().map(|(name, value)| (name, value)));
    if let Some(kubeconfig) = &watched.operators {
        command.env("KUBECONFIG", kubeconfig);
    }
    if context.console.json() {
        print_to_stderr(&mut command);
    }
    let process = spawn(&mut command).map_err(|error| failed(&error))?;
    context.console.status("Running", format!("{name} (process {}), {told}", process.id()));
    Ok(Some(Current { process, program: program.to_owned(), made }))
}

/// Asks the operator to end, and waits for it; a further interrupt ends it at once.
fn stop(current: Option<Current>, interrupts: &Interrupts, context: &Context) {
    let Some(mut current) = current else { return };
    context.console.status("Stopping", format!("process {}", current.process.id()));
    current.process.terminate();
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE && matches!(current.process.child().try_wait(), Ok(None)) {
        if interrupts.came_within(Duration::from_millis(20)) {
            return;
        }
    }
}
