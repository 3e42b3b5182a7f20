//! The steps that several commands perform before an operator runs, shown to the user as the equivalent commands.

use super::command::BOOL;
use super::context::{Context, as_typed, report_step};
use super::install::TargetArgs;
use super::operator_program::cargo_arguments;
use super::verify;
use crate::cluster::{self, Connection, Identity, InstallOptions, Target};
use crate::envtest::{ControlPlane, Options};
use crate::error::file_error;
use crate::manifest::DEFINITIONS;
use crate::report::Console;
use crate::{Error, Result, exec, system};
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time that `opctl install` waits by default.
const INSTALL_TIMEOUT: Duration = Duration::from_secs(60);

/// Options of the temporary control plane that a command starts.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct SimulationArgs {
    /// In the control plane that this command starts, simulate nodes on which pods run: see `opctl envtest start --help`
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set, value_name = BOOL)]
    simulate_nodes: bool,
}

impl SimulationArgs {
    /// Returns the options of a control plane with simulated nodes, on which pods run.
    pub(super) fn simulated_node_options() -> Options {
        Options { simulate_nodes: true, ..Options::default() }
    }

    /// Returns the options of the control plane that these flags describe.
    pub(super) fn options(self) -> Options {
        Options { simulate_nodes: self.simulate_nodes, ..Options::default() }
    }
}

/// Applies the policies of `config/policy`, if the project has policies.
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

/// Writes a kubeconfig with the operator's identity to the file `NAME.kubeconfig` in the folder of the administrator's
/// kubeconfig; NAME is the argument `name`. Returns the path of the file.
pub(super) fn operator_kubeconfig(name: &str, identity: &Identity, plane: &ControlPlane) -> Result<PathBuf> {
    let path = plane.kubeconfig_path().with_file_name(format!("{name}.kubeconfig"));
    let kubeconfig = identity.kubeconfig(plane.kubeconfig()?);
    let text = serde_json::to_string(&kubeconfig)
        .map_err(|error| Error::bug("cannot convert a kubeconfig to JSON").source(&error))?;
    system::write_private_file(&path, &text).map_err(|error| file_error("write", &path, &error))?;
    Ok(path)
}

/// Creates the operator's service account, and grants it the roles of `config/rbac`.
pub(super) fn grant(context: &Context, root: &Path, target: &Target) -> Result<Identity> {
    let identity = cluster::run(target, INSTALL_TIMEOUT, async {
        cluster::operator_identity(root, &Connection::open(target, &context.console).await?).await
    })?;
    context.console.status("Granted", format!("the roles of `config/rbac` to {}", identity.user_name()));
    Ok(identity)
}

/// Builds the operator, and shows which crate is being compiled. Prints cargo's output only if the build fails.
/// Returns the path of the program.
pub(super) fn build_operator(root: &Path, console: &Console) -> Result<PathBuf> {
    build_operator_with(root, &[], console)
}

/// Builds the operator like [`build_operator`], with additional arguments for `cargo build`.
pub(super) fn build_operator_with(root: &Path, further: &[&str], console: &Console) -> Result<PathBuf> {
    let program = cargo_arguments(root);
    let locked = root.join("Cargo.lock").is_file().then_some("--locked");
    let program = program.iter().map(String::as_str).chain(further.iter().copied());
    let arguments: Vec<&str> = locked.into_iter().chain(program).collect();
    let spinner = console.spinner("Building", "the operator");
    let mut said = String::new();
    let built = exec::build(
        root,
        &arguments,
        Some(&mut |line| {
            if let Some(krate) = line.trim_start().strip_prefix("Compiling ") {
                spinner.set_message(format!("the operator: {krate}"));
            }
            said.push_str(line);
            said.push('\n');
        }),
    );
    drop(spinner);
    if built.is_err() {
        console.print_colored(&said);
    }
    built
}

/// Runs `opctl manifests` with these flags.
pub(super) fn manifests(context: &Context, flags: &[&str]) -> Result<()> {
    let command = [&["opctl", "manifests"], flags].concat();
    context.console.command(&command.join(" "));
    as_typed(context, &command)
}

/// Runs `opctl install`, unless the project defines no kind.
pub(super) fn install(context: &Context, root: &Path, target: &Target) -> Result<()> {
    let definitions = root.join(DEFINITIONS).read_dir();
    if !definitions.is_ok_and(|mut definitions| definitions.next().is_some()) {
        context.console.note("the project defines no kind: there is nothing to install");
        return Ok(());
    }
    context.console.command("opctl install");
    // The manifests have just been generated, and need no check.
    let options = InstallOptions {
        target: Target { directory: TargetArgs::default().target(context).directory, ..target.clone() },
        timeout: INSTALL_TIMEOUT,
        force_conflicts: false,
        dry_run: false,
    };
    let report = cluster::install(root, &options, &context.console)?;
    verify::remember(&report, root, &context.console);
    report_step(context, &report);
    Ok(())
}
