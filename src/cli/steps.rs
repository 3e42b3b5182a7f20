//! Steps that several commands take before an operator runs, each shown as the command that it is.

use super::command::BOOL;
use super::context::{Context, as_typed, done};
use super::install::TargetArgs;
use crate::Result;
use crate::cluster::{self, Connection, InstallOptions, Target};
use crate::envtest::Options;
use crate::manifest::DEFINITIONS;
use clap::Args;
use std::path::Path;
use std::time::Duration;

/// As long as `opctl install` waits.
const INSTALL_TIMEOUT: Duration = Duration::from_secs(60);

/// Options of the control plane that a command starts for itself.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct SimulationArgs {
    /// Let pods run there: see `opctl envtest start --help`
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set, value_name = BOOL)]
    simulate_nodes: bool,
}

impl SimulationArgs {
    /// The control plane that is wanted.
    pub(super) fn options(self) -> Options {
        Options { simulate_nodes: self.simulate_nodes, ..Options::default() }
    }
}

/// Applies the policies of `config/policy`, where there are some.
pub(super) fn policies(context: &Context, root: &Path, target: &Target) -> Result<()> {
    if !cluster::has_policies(root) {
        return Ok(());
    }
    let number = cluster::run(target, INSTALL_TIMEOUT, async {
        cluster::apply_policies(root, &Connection::open(target, &context.console).await?).await
    })?;
    context.console.status("Applied", format!("the policies of `config/policy`: {number}"));
    Ok(())
}

/// `opctl manifests`.
pub(super) fn manifests(context: &Context) -> Result<()> {
    context.console.command("opctl manifests");
    as_typed(context, &["opctl", "manifests"])
}

/// `opctl install`, unless the project defines nothing.
pub(super) fn install(context: &Context, root: &Path, kubeconfig: Option<&Path>, name: Option<&str>) -> Result<()> {
    let definitions = root.join(DEFINITIONS).read_dir();
    if !definitions.is_ok_and(|mut definitions| definitions.next().is_some()) {
        context.console.note("the project defines no kind: there is nothing to install");
        return Ok(());
    }
    context.console.command("opctl install");
    let target = TargetArgs { kubeconfig: kubeconfig.map(Path::to_owned), context: name.map(str::to_owned) };
    // The manifests have just been made.
    let options = InstallOptions {
        target: target.target(context),
        timeout: INSTALL_TIMEOUT,
        force_conflicts: false,
        dry_run: false,
    };
    done(context, &cluster::install(root, &options, &context.console)?);
    Ok(())
}
