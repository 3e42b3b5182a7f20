//! What several commands do before an operator runs, each step shown as the command that it is.

use super::context::{Context, as_typed, done};
use super::install::TargetArgs;
use crate::Result;
use crate::cluster::{self, InstallOptions};
use crate::envtest::Options;
use crate::manifest::DEFINITIONS;
use clap::Args;
use std::path::Path;
use std::time::Duration;

/// As long as `opctl install` waits.
const INSTALL_TIMEOUT: Duration = Duration::from_secs(60);

/// Whether pods run on a control plane of the command's own.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct SimulationArgs {
    /// Let pods run there: see `opctl envtest start --help`
    #[arg(long, value_name = "BOOL", default_value_t = true, default_missing_value = "true")]
    #[arg(num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set)]
    simulate_nodes: bool,
}

impl SimulationArgs {
    /// The control plane that is wanted.
    pub(super) fn options(self) -> Options {
        Options { simulate_nodes: self.simulate_nodes, ..Options::default() }
    }
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
