//! Implements `opctl deploy` and `opctl undeploy`, which add the operator to a cluster and remove it.

use super::command::{BOOL, OpctlCommand};
use super::context::Context;
use super::install::TargetArgs;
use super::manifests::{CurrentArgs, with_current_manifests};
use super::remote::RemoteArgs;
use super::verify;
use super::write::read_project;
use crate::Result;
use crate::cluster::{self, DeployOptions, UndeployOptions};
use crate::commands::time_limit::time_limit;
use crate::error::hint;
use crate::model::Resource;
use crate::report::Report;
use crate::workspace::{Workspace, discover};
use clap::Args;
use std::time::Duration;

const DEPLOY_EXAMPLES: &str = "\
Examples:
    opctl deploy --image registry.example.com/webserver-operator:0.1.0
    opctl deploy --dry-run --diff \\
        --image registry.example.com/webserver-operator:0.1.0";

const UNDEPLOY_EXAMPLES: &str = "\
Examples:
    opctl undeploy
    opctl undeploy --dry-run";

/// Options that choose the cluster and limit the time.
#[derive(Args, Debug)]
struct ClusterArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Wait this long for the cluster, such as `20s` or `5m`
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = time_limit)]
    timeout: Duration,
    #[command(flatten)]
    remote: RemoteArgs,
}

/// Put the operator into the cluster, and wait until it runs
///
/// Applies everything of config/default, with the image.
#[derive(Args, Debug)]
#[command(after_help = DEPLOY_EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct DeployArgs {
    /// The operator's image [default: the one set by `opctl edit --image`]
    #[arg(long, value_name = "REF")]
    image: Option<String>,
    #[command(flatten)]
    cluster: ClusterArgs,
    /// Wait until the operator runs
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set, value_name = BOOL)]
    wait: bool,
    /// Take over fields that another field manager owns
    #[arg(long)]
    force_conflicts: bool,
    #[command(flatten)]
    current: CurrentArgs,
    /// Let the server check everything, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Show the changes as a unified diff on stdout
    #[arg(long)]
    diff: bool,
}

/// Remove the operator from the cluster
///
/// CRDs with objects stay, and so do the objects.
#[derive(Args, Debug)]
#[command(after_help = UNDEPLOY_EXAMPLES)]
pub(crate) struct UndeployArgs {
    #[command(flatten)]
    cluster: ClusterArgs,
    /// Wait until the deleted objects no longer exist
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set, value_name = BOOL)]
    wait: bool,
    /// Undeploy even if objects have finalizers, which no operator removes afterwards
    #[arg(long)]
    force: bool,
    /// Show what would be deleted, and delete nothing
    #[arg(long)]
    dry_run: bool,
}

impl OpctlCommand for DeployArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let workspace = Workspace::open(&discover(&context.directory)?, &context.console)?;
        let project = read_project(&workspace)?;
        let options = DeployOptions {
            target: self.cluster.target.target(context),
            timeout: self.cluster.timeout,
            remote: self.cluster.remote.remote(),
            image: self.image.clone(),
            force_conflicts: self.force_conflicts,
            dry_run: self.dry_run,
            diff: self.diff,
            wait: self.wait,
        };
        let image = self.image.as_ref().map(|image| hint!(" --image {image}", image)).unwrap_or_default();
        let report = with_current_manifests(
            self.current,
            &options.target,
            &hint!("deploy{image}{remote}", image, remote = self.cluster.remote.flag()),
            context,
            || cluster::deploy(&project, workspace.root(), &options, &context.console),
        )?;
        verify::remember(&report, workspace.root(), &context.console);
        // Without kinds there are no samples.
        if self.dry_run || !project.resources.iter().any(Resource::has_types) {
            return Ok(report);
        }
        // A namespaced operator does not watch samples in other namespaces.
        let namespace = project.namespaced.then(|| cluster::deployed_namespace(workspace.root())).transpose()?;
        Ok(report.next(options.target.apply_samples(namespace.as_deref())))
    }
}

impl OpctlCommand for UndeployArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let workspace = Workspace::open(&discover(&context.directory)?, &context.console)?;
        let project = read_project(&workspace)?;
        let options = UndeployOptions {
            target: self.cluster.target.target(context),
            timeout: self.cluster.timeout,
            remote: self.cluster.remote.remote(),
            force: self.force,
            dry_run: self.dry_run,
            wait: self.wait,
        };
        cluster::undeploy(&project, workspace.root(), &options, &context.console)
    }
}
