//! The command `opctl run`: runs the operator on this machine or in the cluster.

mod in_cluster;
mod inputs;
mod this_machine;
mod watch;

use super::command::OpctlCommand;
use super::context::Context;
use super::install::TargetArgs;
use super::local_webhooks::{LocalWebhooks, are_the_users};
use super::operator_program::cargo_arguments;
use super::steps::{self, SimulationArgs};
use crate::cluster::Target;
use crate::envtest::ControlPlane;
use crate::error::{Hint, file_error, hint};
use crate::exec::{Ended, Guarded, TemporaryFolder, cannot_start_cargo, cargo_in_foreground, print_to_stderr, spawn};
use crate::report::{Outcome, Report};
use crate::system::write_private_file;
use crate::workspace::discover;
use crate::{Error, Result};
use clap::Args;
use in_cluster::{InCluster, InClusterArgs};
use kube::config::Kubeconfig;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use this_machine::{OnThisMachine, Watched};
use watch::watch;

const EXAMPLES: &str = "Examples:
    opctl run
    opctl run --envtest                # against a separate API server
    opctl run --watch                  # restarts when a source changes
    opctl run --in-cluster --load node --watch    # in the cluster
    opctl run -- --log-level debug     # flags of the operator";

/// Run the operator on this machine, against the cluster
///
/// Runs `opctl manifests` and `opctl install`, applies the policies of `config/policy`, and then runs `cargo run`. The
/// operator serves webhooks on this machine, and the cluster calls them until the operator ends: see
/// `opctl help webhooks`. Ctrl+C ends the operator gracefully; the exit code is then 130, and installed objects stay.
///
/// With `--in-cluster`, the operator runs in pods: its image is compiled as by `opctl build --local`, deployed as by
/// `opctl deploy`, and its log is printed. The operator keeps running when the command ends.
///
/// With `--as`, opctl acts as that user; an operator on this machine does not.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Start a local control plane for the operator, and stop the control plane afterwards
    #[arg(long, conflicts_with_all = ["kubeconfig", "context"])]
    envtest: bool,
    #[command(flatten)]
    simulation: SimulationArgs,
    /// Repeat all steps whenever a source changes; if a build fails, the running operator stays
    #[arg(long)]
    watch: bool,
    /// Build with optimisations
    #[arg(long)]
    release: bool,
    /// The address of this machine for webhooks, as the cluster sees it [default: the loopback interface]
    #[arg(long, value_name = "HOST")]
    webhook_host: Option<String>,
    #[command(flatten)]
    in_cluster: InClusterArgs,
    /// Flags to pass to the operator
    #[arg(last = true, value_name = "FLAGS")]
    operator: Vec<OsString>,
}

impl OpctlCommand for RunArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let root = discover(&context.directory)?;
        if self.in_cluster.in_cluster {
            let mut operator = InCluster::new(root, &self.in_cluster, self.release, self.target.absolute_flags())?;
            return if self.watch { watch(&mut operator, None, context) } else { operator.run(context) };
        }
        if !self.watch {
            steps::manifests(context, &[])?;
        }
        let mut plane =
            self.envtest.then(|| ControlPlane::start(&self.simulation.options(), &context.console)).transpose()?;
        if let Some(plane) = &plane {
            let kubeconfig = plane.kubeconfig_path();
            context.console.status("Serving", format!("KUBECONFIG={}", kubeconfig.display()));
        }
        let kubeconfig = match &plane {
            Some(plane) => Some(plane.kubeconfig_path()),
            None => {
                self.target.kubeconfig.as_ref().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone()))
            }
        };
        let copy = self.target.context.as_ref().map(|name| with_context(kubeconfig.as_deref(), name)).transpose()?;
        let target = Target { kubeconfig: kubeconfig.clone(), ..self.target.target(context) };
        let webhooks =
            (!are_the_users(&self.operator)).then(|| LocalWebhooks::new(&root, self.webhook_host.as_deref()));
        let webhooks = webhooks.transpose()?;
        let environment: Vec<_> = webhooks.iter().flat_map(LocalWebhooks::environment).collect();
        if self.watch {
            let operators = copy.as_ref().map(|(_, path)| path.clone()).or_else(|| kubeconfig.clone());
            let (release, flags) = (self.release, self.operator.clone());
            let watched = Watched { root, target: target.clone(), operators, release, flags, environment };
            let following = webhooks.map(|webhooks| webhooks.follow(target, context));
            let watched = watch(&mut OnThisMachine::new(watched), plane.as_mut(), context);
            drop(following);
            return watched;
        }
        steps::install(context, &root, &target)?;
        steps::policies(context, &root, &target)?;
        let following = webhooks.map(|webhooks| webhooks.follow(target, context));
        context.console.command("cargo run");
        let kubeconfig = copy.as_ref().map(|(_, path)| path.as_path()).or(kubeconfig.as_deref());
        let operated = operate(self, &root, kubeconfig, &environment, context);
        // The webhooks are removed while the control plane, which may be the operator's own, is still there.
        drop(following);
        operated
    }
}

/// Builds and runs the operator until it ends or is interrupted.
fn operate(
    args: &RunArgs,
    root: &Path,
    kubeconfig: Option<&Path>,
    environment: &[(&str, OsString)],
    context: &Context,
) -> Result<Report> {
    let target = args.target.target(context);
    let mut cargo = cargo_in_foreground(root).map_err(|error| cannot_start_cargo(&error))?;
    cargo
        .arg("run")
        .args(args.release.then_some("--release"))
        .args(cargo_arguments(root))
        .arg("--")
        .args(&args.operator)
        .stdin(Stdio::null());
    cargo.envs(environment.iter().map(|(name, value)| (name, value)));
    if let Some(path) = kubeconfig {
        cargo.env("KUBECONFIG", path);
    }
    if context.console.json() {
        print_to_stderr(&mut cargo);
    }
    let ended = spawn(&mut cargo).and_then(Guarded::wait_in_foreground);
    let Ended { status, interrupted } = ended.map_err(|error| cannot_start_cargo(&error))?;
    let outcome = if interrupted { Outcome::Interrupted } else { Outcome::Changed };
    if status.success() {
        return Ok(Report::new("run", outcome).summary("the operator has stopped"));
    }
    if interrupted {
        // The interrupt may have ended cargo before there was an operator.
        return Ok(Report::new("run", outcome).summary(format!("interrupted: `cargo run` ended with {status}")));
    }
    let envtest = if args.envtest { " --envtest" } else { "" };
    Err(Error::user("the operator failed")
        .caused_by(format!("`cargo run` ended with {status}; the reason is printed above"))
        .hint(hint!("{} -- --log-level debug", target.opctl(hint!("run{envtest}", envtest = Hint::from(envtest))))))
}

/// Writes a copy of the kubeconfig in which `context` is the current context, because an operator only uses the current
/// context. Returns the temporary folder of the copy, which is removed when it is dropped, and the path of the copy.
fn with_context(kubeconfig: Option<&Path>, context: &str) -> Result<(TemporaryFolder, PathBuf)> {
    let look = Target { kubeconfig: kubeconfig.map(Path::to_owned), ..Target::default() }.kubectl("config view");
    let read = kubeconfig.map_or_else(Kubeconfig::read, Kubeconfig::read_from);
    let mut kubeconfig =
        read.map_err(|error| Error::environment("cannot use the kubeconfig").source(&error).hint(look))?;
    kubeconfig.current_context = Some(context.to_owned());
    let folder = TemporaryFolder::new("kubeconfig")?;
    let path = folder.path().join("kubeconfig");
    let text = serde_json::to_string(&kubeconfig).map_err(std::io::Error::from);
    let written = text.and_then(|text| write_private_file(&path, &text));
    written.map_err(|error| file_error("write", &path, &error))?;
    Ok((folder, path))
}
