//! `opctl test`.

mod ignored;
mod selection;
mod webhooks;

use super::command::{HelpGroup, OpctlCommand, Reports, Uses};
use super::context::{Context, tell};
use super::explore::remembered;
use super::steps::{self, SimulationArgs};
use crate::cluster::{Identity, Target};
use crate::envtest::ControlPlane;
use crate::error::file_error;
use crate::exec::{Guarded, cannot_start_cargo, cargo, interrupts, print_to_stderr, spawn};
use crate::report::{Outcome, Report};
use crate::workspace::discover;
use crate::{Error, Result};
use clap::Args;
use ignored::Ignored;
use serde_json::json;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
    opctl test
    opctl test web_server              # tests with this in their names
    opctl test -p api --release        # flags of cargo
    opctl test -- --nocapture          # flags of the tests
    opctl test --keep-running          # and look at what they left";

/// The server's administrator.
const ADMINISTRATOR: &str = "OPCTL_TEST_KUBECONFIG";
/// The operator, with the rights of its roles.
const OPERATOR: &str = "OPCTL_TEST_OPERATOR_KUBECONFIG";

/// Run the tests against an API server of their own
///
/// Manifests, a control plane with simulated nodes, install, the policies of `config/policy`, the roles of `config/rbac`, then `cargo test` with the tests that
/// are `#[ignore = "opctl test"]`; those that are ignored for another reason stay so. After them, the plans of `tests/explore.toml`: see `opctl explore --help`. They find it by two kubeconfigs: `OPCTL_TEST_KUBECONFIG` is its
/// administrator's, `OPCTL_TEST_OPERATOR_KUBECONFIG` the operator's service account's, which has exactly the rights of the
/// generated roles. Your own kubeconfig is out of their reach.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct TestArgs {
    /// Keep the API server until Ctrl+C
    #[arg(long)]
    keep_running: bool,
    #[command(flatten)]
    simulation: SimulationArgs,
    /// Arguments of `cargo test`; flags of opctl come before them
    #[arg(value_name = "CARGO", allow_hyphen_values = true)]
    cargo: Vec<OsString>,
    /// Arguments of the tests
    #[arg(last = true, value_name = "TESTS", allow_hyphen_values = true)]
    tests: Vec<OsString>,
}

impl OpctlCommand for TestArgs {
    const NAME: &'static str = "test";
    const GROUP: HelpGroup = HelpGroup::EveryDay;
    const REPORTS: Reports = Reports::Lines;

    fn uses(&self) -> Uses {
        Uses::Programs
    }

    fn run(&self, context: &Context) -> Result<Report> {
        run(self, context)
    }
}

fn run(args: &TestArgs, context: &Context) -> Result<Report> {
    let begun = Instant::now();
    let root = discover(&context.directory)?;
    steps::manifests(context)?;
    let mut plane = ControlPlane::start(&args.simulation.options(), &context.console)?;
    let administrator = plane.kubeconfig_path();
    context.console.status("Serving", format!("Kubernetes {} at {}", plane.version(), plane.server()));
    steps::install(context, &root, Some(&administrator), None)?;

    let target = Target { kubeconfig: Some(administrator.clone()), ..Target::default() };
    steps::policies(context, &root, &target)?;
    let identity = steps::grant(context, &root, &target)?;
    let operator = administrator.with_file_name("operator.kubeconfig");
    write_kubeconfig(&identity, &plane, &operator)?;
    let account = format!("system:serviceaccount:{}:{}", identity.namespace, identity.account);

    let mut webhooks = webhooks::serve(args.split().0, &root, &administrator, &operator, context)?;
    let others = ignored::for_other_reasons(&root);
    let (mut command, left_out) = cargo_test(args, &root, &others);
    say(&left_out, context);
    context.console.command(&shown(&command));
    isolate(&mut command, &administrator, &operator);
    if context.console.json() {
        print_to_stderr(&mut command);
    }
    let ended = spawn(&mut command).and_then(Guarded::wait_in_foreground);
    let ended = ended.map_err(|error| cannot_start_cargo(&error))?;
    if ended.interrupted {
        return Err(Error::interrupted("the tests were interrupted").hint("opctl test"));
    }
    // A server that ended is why tests failed.
    plane.check()?;
    webhooks.as_mut().map_or(Ok(()), |serving| serving.check(context))?;
    let mut verdict = verdict(ended.status);
    // Whoever asks for some tests does not ask for these.
    let remembered =
        if args.cargo.is_empty() && args.tests.is_empty() { remembered::plans(&root)? } else { Vec::new() };
    if verdict.is_ok() && !remembered.is_empty() {
        drop(webhooks.take());
        verdict = remembered::play(&remembered, &root, &mut plane, &identity, context);
    }
    let mut report = Report::new("test", Outcome::Changed).summary("all tests passed");
    if args.keep_running {
        if let Err(error) = &verdict {
            tell("test", error, context);
            report.summary = Some("some tests failed, as is said above".to_owned());
        }
        keep(context, &mut plane, &administrator, &operator)?;
        report.outcome = Outcome::Interrupted;
    } else {
        verdict?;
    }
    report.data = Some(json!({
        "kubernetes": plane.version(),
        "simulatedNodes": plane.simulates_nodes(),
        "operator": account,
        "seconds": begun.elapsed().as_secs_f64(),
    }));
    Ok(report)
}

impl TestArgs {
    /// The arguments of cargo, and those of the tests. Behind an argument for cargo, clap leaves `--` where it is.
    fn split(&self) -> (&[OsString], Vec<&OsString>) {
        let mut parts = self.cargo.splitn(2, |argument| argument == "--");
        let cargo = parts.next().unwrap_or_default();
        (cargo, parts.next().unwrap_or_default().iter().chain(&self.tests).collect())
    }
}

fn write_kubeconfig(identity: &Identity, plane: &ControlPlane, path: &Path) -> Result<()> {
    let kubeconfig = identity.kubeconfig(plane.kubeconfig()?);
    let text =
        serde_json::to_vec(&kubeconfig).map_err(|error| Error::bug("a kubeconfig is not JSON").source(&error))?;
    // Its folder is its owner's alone.
    std::fs::write(path, text).map_err(|error| file_error("write", path, &error))
}

/// The command, and which of the tests that are ignored for reasons of their own it leaves out.
fn cargo_test<'a>(args: &TestArgs, root: &Path, others: &'a [Ignored]) -> (Command, Vec<&'a Ignored>) {
    let mut command = cargo(root);
    let (cargo_arguments, tests) = args.split();
    command.arg("test").args(cargo_arguments).arg("--");
    let asks = |flag: &str| tests.iter().any(|argument| *argument == flag);
    let mut left_out = Vec::new();
    // libtest takes only one of the two.
    if !asks("--ignored") && !asks("--include-ignored") {
        let names = selection::names(cargo_arguments, &tests);
        let by_name = |test: &&Ignored| names.is_empty() || names.iter().any(|name| test.name.contains(name));
        left_out = others.iter().filter(by_name).collect();
        command.arg("--include-ignored");
        // A whole name is no part of another one; but all names that are given are taken as whole ones then.
        let whole = names.is_empty() && !asks("--skip") && left_out.iter().all(|test| test.single);
        if whole && !left_out.is_empty() && !asks("--exact") {
            command.arg("--exact");
        }
        for test in &left_out {
            command.args(["--skip", &test.name]);
        }
    }
    command.args(tests).stdin(Stdio::null());
    (command, left_out)
}

fn say(left_out: &[&Ignored], context: &Context) {
    let names: Vec<String> = left_out.iter().take(3).map(|test| format!("`{}`", test.name)).collect();
    let more = if left_out.len() > 3 { format!(" and {} more", left_out.len() - 3) } else { String::new() };
    if !names.is_empty() {
        let text = format!("{}{more}, ignored for another reason: opctl test -- --include-ignored", names.join(", "));
        context.console.status("Skipping", text);
    }
}

/// The command as it would be typed.
fn shown(command: &Command) -> String {
    let words: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    let first = words.iter().position(|word| word == "test").unwrap_or_default();
    format!("cargo {}", words[first..].join(" "))
}

/// Gives the tests their server, and takes every other one away from them.
fn isolate(command: &mut Command, administrator: &Path, operator: &Path) {
    command.env(ADMINISTRATOR, administrator).env(OPERATOR, operator).env("KUBECONFIG", "/dev/null");
    command.env_remove("KUBERNETES_SERVICE_HOST").env_remove("KUBERNETES_SERVICE_PORT");
    // The server is on this machine; cargo may need the proxy.
    for name in ["NO_PROXY", "no_proxy"] {
        let others = std::env::var(name).ok().filter(|others| !others.is_empty());
        command.env(name, others.map_or("127.0.0.1".to_owned(), |others| format!("{others},127.0.0.1")));
    }
}

/// Waits until somebody has seen enough.
fn keep(context: &Context, plane: &mut ControlPlane, administrator: &Path, operator: &Path) -> Result<()> {
    let interrupts = interrupts();
    let variables: [(&str, &Path); 3] =
        [("KUBECONFIG", administrator), (ADMINISTRATOR, administrator), (OPERATOR, operator)];
    let lines = variables.map(|(name, path)| format!("export {name}={}", path.display()));
    context.console.status("Serving", "until Ctrl+C; from another shell:");
    context.console.passthrough(&lines.join("\n"));
    while interrupts.recv_timeout(Duration::from_millis(200)).is_err() {
        plane.check()?;
    }
    Ok(())
}

fn verdict(status: ExitStatus) -> Result<()> {
    if status.success() {
        return Ok(());
    }
    Err(Error::user("tests failed")
        .caused_by(format!("`cargo test` ended with {status}; why stands above"))
        .hint("opctl test --keep-running    # and look at what they left in the API server"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: TestArgs,
    }

    #[test]
    fn arguments_reach_cargo_and_the_tests() {
        for (line, expected) in [
            ("", "cargo test -- --include-ignored"),
            ("--keep-running web", "cargo test web -- --include-ignored"),
            ("--release -p api --test life", "cargo test --release -p api --test life -- --include-ignored"),
            ("-- --nocapture web", "cargo test -- --include-ignored --nocapture web"),
            ("--simulate-nodes=false -p api -- --ignored", "cargo test -p api -- --ignored"),
        ] {
            let args = Line::try_parse_from(["test"].into_iter().chain(line.split_whitespace())).unwrap().args;
            assert_eq!(shown(&cargo_test(&args, Path::new("."), &[]).0), expected, "{line}");
            assert_eq!(args.keep_running, line.contains("keep"));
        }
    }

    #[test]
    fn tests_that_are_ignored_for_another_reason_stay_so() {
        let others = [("load", true), ("web_server::many", false)];
        let others = others.map(|(name, single)| Ignored { name: name.to_owned(), single });
        for (line, number, expected) in [
            ("", 1, "cargo test -- --include-ignored --exact --skip load"),
            ("-p api --test it", 1, "cargo test -p api --test it -- --include-ignored --exact --skip load"),
            ("", 2, "cargo test -- --include-ignored --skip load --skip web_server::many"),
            ("web_server", 2, "cargo test web_server -- --include-ignored --skip web_server::many"),
            ("-- lo --test-threads 1", 2, "cargo test -- --include-ignored --skip load lo --test-threads 1"),
            ("-- --skip a", 1, "cargo test -- --include-ignored --skip load --skip a"),
            ("-- --exact x", 2, "cargo test -- --include-ignored --exact x"),
            ("-- --ignored", 2, "cargo test -- --ignored"),
            ("-- --include-ignored", 2, "cargo test -- --include-ignored"),
        ] {
            let args = Line::try_parse_from(["test"].into_iter().chain(line.split_whitespace())).unwrap().args;
            assert_eq!(shown(&cargo_test(&args, Path::new("."), &others[..number]).0), expected, "{line}");
        }
    }
}
