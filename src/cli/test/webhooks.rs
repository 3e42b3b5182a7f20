//! The operator that serves its webhooks while the tests run.

use crate::cli::context::Context;
use crate::cli::local_webhooks::{LocalWebhooks, has_webhooks};
use crate::cluster::Target;
use crate::error::file_error;
use crate::exec::{Guarded, build, build_tests, command_for_this_process, spawn};
use crate::reading::{self, Limit};
use crate::{Error, Result, system};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The time limit for an operator without controllers to listen.
const PATIENCE: Duration = Duration::from_secs(60);

/// An operator without controllers, which ends when this value is dropped.
pub(super) struct Serving {
    process: Guarded,
    log: PathBuf,
    webhooks: LocalWebhooks,
}

/// Has the API server call the project's webhooks, if there are some: the operator's program serves them, with the
/// rights of its roles.
pub(super) fn serve(
    arguments: &[OsString],
    root: &Path,
    administrator: &Path,
    operator: &Path,
    context: &Context,
) -> Result<Option<Serving>> {
    if !has_webhooks(root) || arguments.iter().any(|argument| argument == "--no-run") {
        return Ok(None);
    }
    context.console.command("cargo test --no-run");
    let has = |flags: &[&str]| arguments.iter().any(|argument| flags.iter().any(|flag| argument == flag));
    let program = match build_tests(root, arguments)? {
        Some(program) => program,
        // The tests are those of the api package alone, which has nothing to do with webhooks.
        None if has(&["-p", "--package"]) => return Ok(None),
        None if has(&["--release"]) => build(root, &["--release"], None)?,
        None => build(root, &[], None)?,
    };
    let webhooks = LocalWebhooks::new(root, None)?;
    let log = operator.with_file_name("webhooks.log");
    let mut serving = Serving { process: start(&program, &webhooks, operator, &log)?, log, webhooks };
    let begun = Instant::now();
    while !serving.webhooks.is_served() {
        serving.check(context)?;
        if begun.elapsed() > PATIENCE {
            return Err(serving.failed("it does not listen", context));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let target = Target { kubeconfig: Some(administrator.to_owned()), ..Target::default() };
    serving.webhooks.apply(&target, context)?;
    context.console.status("Serving", "the webhooks of the operator");
    Ok(Some(serving))
}

fn start(program: &Path, webhooks: &LocalWebhooks, kubeconfig: &Path, log: &Path) -> Result<Guarded> {
    let failed = |error: &std::io::Error| file_error("run", program, error);
    let output = system::create_private_file(log).map_err(|error| file_error("write", log, &error))?;
    let errors = output.try_clone().map_err(|error| file_error("write", log, &error))?;
    let mut command = command_for_this_process(program).map_err(|error| failed(&error))?;
    command.args(["--webhooks-only", "--health-probe-bind-address=0"]).env("KUBECONFIG", kubeconfig);
    command.envs(webhooks.environment()).stdin(Stdio::null()).stdout(output).stderr(errors);
    spawn(&mut command).map_err(|error| failed(&error))
}

impl Serving {
    /// Fails if the operator has ended, which would be the reason why tests fail.
    pub(super) fn check(&mut self, context: &Context) -> Result<()> {
        match self.process.child().try_wait() {
            Ok(None) => Ok(()),
            Ok(Some(status)) => Err(self.failed(&format!("it ended with {status}"), context)),
            Err(error) => Err(self.failed(&error.to_string(), context)),
        }
    }

    fn failed(&self, how: &str, context: &Context) -> Error {
        context.console.lines(&reading::text(&self.log, Limit::Bundle).unwrap_or_default());
        Error::user("the operator does not serve its webhooks")
            .caused_by(format!("{how}; what it said stands above"))
            .hint("cargo run -- --webhooks-only")
    }
}
