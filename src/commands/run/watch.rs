//! `opctl run --watch`: builds and restarts the operator whenever a source file changes.

use super::inputs::Inputs;
use crate::commands::context::{Context, tell};
use crate::envtest::ControlPlane;
use crate::exec::{Interrupts, interrupts, sources_of};
use crate::report::{Outcome, Report};
use crate::system::with_large_stack;
use crate::{Error, Result};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The time between two scans of the sources: a change is complete when two scans in a row are equal.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// An operator that is built and started again whenever one of its sources changes.
pub(super) trait Restarted {
    /// Returns the folder of the project.
    fn root(&self) -> &Path;

    /// Returns a function, to run on another thread, that updates the manifests, builds the operator, and applies the
    /// manifests to the cluster. The function returns the path of the operator's program.
    fn steps(&self, context: &Context) -> Box<dyn FnOnce() -> Result<PathBuf> + Send>;

    /// Replaces the running operator with the built `program`; `told` describes how the program was built.
    fn renew(&mut self, program: &Path, told: &str, interrupts: &Interrupts, context: &Context) -> Result<()>;

    /// Returns the operator's exit status as text if the operator exited unexpectedly since the last call.
    fn ended(&mut self) -> Option<String>;

    /// Returns true if the operator runs.
    fn runs(&self) -> bool;

    /// Stops the running processes; another interrupt ends them at once. Returns the summary for the command's report.
    fn stop(&mut self, interrupts: &Interrupts, context: &Context) -> String;
}

/// A build on its own thread, so that opctl can react to an interrupt during the build.
struct Making {
    thread: JoinHandle<Result<PathBuf>>,
    begun: Instant,
    /// The source file whose change started the build; `None` for the first build.
    cause: Option<PathBuf>,
}

impl Making {
    /// Returns a text that says how long the build took and which changed file started it.
    fn build_description(&self) -> String {
        let after = self.cause.as_ref().map(|path| format!(" after {}", path.display())).unwrap_or_default();
        format!("built in {:.1} s{after}", self.begun.elapsed().as_secs_f64())
    }
}

/// Runs the operator until the user interrupts, and builds it again whenever one of its sources changes. If a build
/// fails, the current operator keeps running.
pub(super) fn watch(
    operator: &mut dyn Restarted,
    mut plane: Option<&mut ControlPlane>,
    context: &Context,
) -> Result<Report> {
    let interrupts = interrupts();
    let root = operator.root().to_owned();
    // The sources that cargo names, read once for each build: another checkout may build into the same folder.
    let mut sources = Vec::new();
    let mut seen = Inputs::now(&root, &sources);
    let mut built = seen.clone();
    let mut making = Some(make(operator, None, context));
    loop {
        if interrupts.came_within(POLL_INTERVAL) {
            let summary = operator.stop(&interrupts, context);
            return Ok(Report::new("run", Outcome::Interrupted).summary(summary));
        }
        if let Some(plane) = &mut plane {
            plane.check()?;
        }
        let state = |operator: &dyn Restarted| {
            if operator.runs() { "the previous operator keeps running" } else { "no operator runs" }
        };
        if let Some(made) = making.take_if(|making| making.thread.is_finished()) {
            let told = made.build_description();
            match made.thread.join().unwrap_or_else(|_| Err(Error::bug("a build has a defect"))) {
                Ok(made) => {
                    operator.renew(&made, &told, &interrupts, context)?;
                    sources = sources_of(&made);
                    // Sources that only the new program names count as unchanged.
                    let now = Inputs::now(&root, &sources);
                    built = built.clone().with_new(&now);
                    seen = now;
                }
                Err(error) => {
                    tell("run", &error, &context.console);
                    context.console.status("Waiting", format!("for a change; {}", state(operator)));
                }
            }
        }
        if let Some(status) = operator.ended() {
            tell("run", &Error::user("the operator exited unexpectedly").caused_by(status), &context.console);
            context.console.status("Waiting", format!("for a change; {}", state(operator)));
        }
        let now = Inputs::now(&root, &sources);
        let settled = now == seen;
        seen = now;
        if making.is_none()
            && settled
            && let Some(path) = seen.first_changed_file(&built)
        {
            let path = path.strip_prefix(&root).unwrap_or(path).to_owned();
            context.console.status("Changed", path.display());
            built = seen.clone();
            making = Some(make(operator, Some(path), context));
        }
    }
}

/// Starts the build of the operator on a thread. `cause` is the source file whose change started the build.
fn make(operator: &dyn Restarted, cause: Option<PathBuf>, context: &Context) -> Making {
    let (begun, steps) = (Instant::now(), operator.steps(context));
    let thread = std::thread::spawn(move || with_large_stack(steps));
    Making { thread, begun, cause }
}
