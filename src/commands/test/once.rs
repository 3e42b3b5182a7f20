//! Runs the tests on one control plane.

use super::args::TestArgs;
use super::cargo::{ADMINISTRATOR, OPERATOR, cargo_test, command_text, in_foreground, isolate, report_ignored_tests};
use super::ignored;
use super::webhook_operator;
use crate::cluster::Target;
use crate::commands::context::{Context, tell};
use crate::commands::explore::remembered;
use crate::commands::operator_program::adoption_record;
use crate::commands::steps;
use crate::envtest::{ControlPlane, Options};
use crate::error::{Hint, hint};
use crate::exec::interrupts;
use crate::{Error, Result};
use serde::Serialize;
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// The result of one run of the tests on a control plane.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tested {
    /// The version of the API server, such as `v1.36.4`.
    pub(super) kubernetes: String,
    pub(super) simulated_nodes: bool,
    /// The user name of the operator's service account.
    pub(super) operator: String,
    pub(super) seconds: f64,
    #[serde(skip)]
    pub(super) verdict: Result<()>,
}

/// Starts a control plane, and runs the tests on it.
///
/// # Errors
/// Fails if a step before the tests fails, if a server ends during the tests, or if the user interrupts. Failed tests
/// do not cause an error, and only set `verdict`.
pub(super) fn once(args: &TestArgs, servers: &Options, root: &Path, context: &Context) -> Result<Tested> {
    let begun = Instant::now();
    let mut plane = ControlPlane::start(servers, &context.console)?;
    let administrator = plane.kubeconfig_path();
    context.console.status("Serving", format!("Kubernetes {} at {}", plane.version(), plane.server()));
    let target = Target { kubeconfig: Some(administrator.clone()), ..Target::default() };
    steps::install(context, root, &target)?;
    steps::policies(context, root, &target)?;
    let identity = steps::grant(context, root, &target)?;
    let operator = steps::operator_kubeconfig("operator", &identity, &plane)?;

    let mut webhooks = webhook_operator::serve(args.split().0, root, &administrator, &operator, context)?;
    // The tests of an adopted operator have words of their own for needing a cluster, so that none is left out.
    let is_adopted = adoption_record(root).is_some();
    let others = if is_adopted { Vec::new() } else { ignored::for_other_reasons(root) };
    let (mut command, left_out) = cargo_test(args, root, &others);
    report_ignored_tests(&left_out, context);
    context.console.command(&command_text(&command));
    isolate(&mut command, &administrator, &operator);
    if is_adopted {
        command.env("KUBECONFIG", &administrator);
    }
    let status = in_foreground(&mut command, "opctl test", context)?;
    // A server that has ended is the reason why tests failed.
    plane.check()?;
    webhooks.as_mut().map_or(Ok(()), |serving| serving.check(context))?;
    let mut verdict = verdict(status);
    // A user who asks for some tests does not ask for the remembered plans.
    let remembered = if args.cargo.is_empty() && args.tests.is_empty() { remembered::plans(root)? } else { Vec::new() };
    if verdict.is_ok() && !remembered.is_empty() {
        verdict = remembered::play(&remembered, root, &mut plane, &identity, context);
    }
    if args.keep_running {
        if let Err(error) = &verdict {
            tell("test", error, &context.console);
        }
        keep_running(context, &mut plane, &administrator, &operator)?;
    }
    Ok(Tested {
        kubernetes: plane.version().to_owned(),
        simulated_nodes: plane.simulates_nodes(),
        operator: identity.user_name(),
        seconds: begun.elapsed().as_secs_f64(),
        verdict,
    })
}

/// Keeps the control plane running until an interrupt; fails if a server ends before the interrupt.
fn keep_running(context: &Context, plane: &mut ControlPlane, administrator: &Path, operator: &Path) -> Result<()> {
    let interrupts = interrupts();
    let variables: [(&str, &Path); 3] =
        [("KUBECONFIG", administrator), (ADMINISTRATOR, administrator), (OPERATOR, operator)];
    let lines = variables.map(|(name, path)| hint!("export {name}={}", path.display(), name));
    context.console.status("Serving", "until Ctrl+C; in another shell, run:");
    context.console.lines(Hint::join(lines, "\n").as_str());
    while !interrupts.came_within(Duration::from_millis(200)) {
        plane.check()?;
    }
    Ok(())
}

fn verdict(status: ExitStatus) -> Result<()> {
    if status.success() {
        return Ok(());
    }
    Err(Error::user("tests failed")
        .caused_by(format!("`cargo test` ended with {status}; the reason is printed above"))
        .hint(
            "opctl test --keep-running    # repeats the tests, and keeps the API server so that you can inspect the \
               objects that they left",
        ))
}
