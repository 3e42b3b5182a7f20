//! Implements `opctl install` and `opctl uninstall`, which add the project's CRDs to a cluster and remove them.

use super::command::OpctlCommand;
use super::context::Context;
use super::manifests::{CurrentArgs, with_current_manifests};
use crate::Result;
use crate::cluster::{self, InstallOptions, Target, UninstallOptions};
use crate::commands::time_limit::time_limit;
use crate::commands::verify;
use crate::report::Report;
use crate::workspace::{Workspace, discover};
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;

const INSTALL_EXAMPLES: &str = "\
Examples:
    opctl install
    opctl install --regenerate    # runs `opctl manifests` first
    opctl install --context kind-kind --timeout 2m";

const UNINSTALL_EXAMPLES: &str = "\
Examples:
    opctl uninstall
    opctl uninstall --force    # deletes the custom resources too";

/// Options that choose the cluster.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct TargetArgs {
    /// Use this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]
    #[arg(long, value_name = "FILE")]
    pub(super) kubeconfig: Option<PathBuf>,
    /// Use this context of the kubeconfig [default: the current context]
    #[arg(long, value_name = "NAME")]
    pub(super) context: Option<String>,
    /// Act as this user; you need the right to impersonate it
    #[arg(long = "as", value_name = "USER", value_parser = header_text)]
    pub(super) user: Option<String>,
    /// Act as a member of this group, with `--as`; may be repeated
    #[arg(long = "as-group", value_name = "GROUP", requires = "user", value_parser = header_text)]
    pub(super) groups: Vec<String>,
}

/// Parses the name of a user or a group, which goes into an HTTP header of each request.
fn header_text(text: &str) -> Result<String, &'static str> {
    let is_sent = !text.is_empty() && text.chars().all(|character| (' '..='~').contains(&character));
    if is_sent {
        Ok(text.to_owned())
    } else {
        Err("it is empty, or contains characters that an HTTP header does not allow")
    }
}

impl TargetArgs {
    pub(super) fn target(&self, context: &Context) -> Target {
        let directory = (context.directory != Path::new(".")).then(|| context.directory.clone());
        Target {
            kubeconfig: self.kubeconfig.clone(),
            context: self.context.clone(),
            user: self.user.clone(),
            groups: self.groups.clone(),
            directory,
        }
    }

    /// Returns the flags that choose the cluster and the user, to add to another command line. The kubeconfig's path is
    /// absolute, because that command may run in another folder.
    pub(super) fn absolute_flags(&self) -> Vec<String> {
        let kubeconfig =
            self.kubeconfig.as_ref().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone()));
        let (context, user, groups) = (self.context.clone(), self.user.clone(), self.groups.clone());
        Target { kubeconfig, context, user, groups, directory: None }.flags()
    }
}

/// Put the CRDs into the cluster, and wait until it serves them
#[derive(Args, Debug)]
#[command(after_help = INSTALL_EXAMPLES)]
pub(crate) struct InstallArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Wait this long for the cluster, such as `20s` or `5m`
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = time_limit)]
    timeout: Duration,
    /// Take over fields that another field manager owns
    #[arg(long)]
    force_conflicts: bool,
    #[command(flatten)]
    current: CurrentArgs,
    /// Let the server check everything, and change nothing
    #[arg(long)]
    dry_run: bool,
}

/// Take the CRDs out of the cluster
///
/// Refuses while there are custom resources, because the deletion of a CRD deletes its objects. `--force` deletes both,
/// unless an object has a finalizer.
#[derive(Args, Debug)]
#[command(after_help = UNINSTALL_EXAMPLES)]
pub(crate) struct UninstallArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Wait this long for the cluster, such as `20s` or `5m`
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = time_limit)]
    timeout: Duration,
    /// Also delete the custom resources
    #[arg(long)]
    force: bool,
    /// Let the server check everything, and change nothing
    #[arg(long)]
    dry_run: bool,
}

impl OpctlCommand for InstallArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let workspace = Workspace::open(&discover(&context.directory)?, &context.console)?;
        let options = InstallOptions {
            target: self.target.target(context),
            timeout: self.timeout,
            force_conflicts: self.force_conflicts,
            dry_run: self.dry_run,
        };
        with_current_manifests(self.current, &options.target, &"install".into(), context, || {
            let report = cluster::install(workspace.root(), &options, &context.console)?;
            verify::remember(&report, workspace.root(), &context.console);
            Ok(report)
        })
    }
}

impl OpctlCommand for UninstallArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let workspace = Workspace::open(&discover(&context.directory)?, &context.console)?;
        let options = UninstallOptions {
            target: self.target.target(context),
            timeout: self.timeout,
            force: self.force,
            dry_run: self.dry_run,
        };
        cluster::uninstall(workspace.root(), &options, &context.console)
    }
}
