//! The table of all commands of opctl, from which opctl parses a command line, shows help, and runs a command.

use super::global::GlobalArgs;
use super::{completion, help, mcp};
use crate::Result;
use crate::commands::command::{BOOL, HelpGroup, OpctlCommand, Reports, Uses};
use crate::commands::context::Context;
use crate::commands::{
    adopt, bench, build, build_installer, bundle, cache, create, delete, demo, deploy, docs, doctor, edit, envtest,
    explain, explore, guarded, health_checks, init, install, list, logs, manifests, migrate, rename, resolve, run,
    status, test, update, version,
};
use crate::report::Report;
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, FromArgMatches, Subcommand};

/// All commands, in the order of `opctl --help`: each command's name, its group in the help, the form of its reports,
/// and the resources of this machine that it uses.
pub(super) const COMMANDS: &[Registered] = &[
    Registered::new::<init::InitArgs>("init", HelpGroup::Begin, Reports::Once, Uses::Files),
    Registered::new::<adopt::AdoptArgs>("adopt", HelpGroup::Begin, Reports::Once, Uses::Programs),
    Registered::new::<create::CreateArgs>("create", HelpGroup::Begin, Reports::Once, Uses::Files),
    Registered::new::<delete::DeleteArgs>("delete", HelpGroup::Begin, Reports::Once, Uses::Files),
    Registered::new::<rename::RenameArgs>("rename", HelpGroup::Begin, Reports::Once, Uses::Files),
    Registered::new::<demo::DemoArgs>("demo", HelpGroup::Begin, Reports::Lines, Uses::ControlPlanes),
    Registered::new::<manifests::ManifestsArgs>("manifests", HelpGroup::EveryDay, Reports::Once, Uses::Programs),
    Registered::new::<docs::DocsArgs>("docs", HelpGroup::EveryDay, Reports::Once, Uses::Programs),
    Registered::new::<run::RunArgs>("run", HelpGroup::EveryDay, Reports::Lines, Uses::Programs),
    Registered::new::<test::TestArgs>("test", HelpGroup::EveryDay, Reports::Lines, Uses::Programs),
    Registered::new::<explore::ExploreArgs>("explore", HelpGroup::EveryDay, Reports::Lines, Uses::Programs),
    Registered::new::<bench::BenchArgs>("bench", HelpGroup::EveryDay, Reports::Lines, Uses::Programs),
    Registered::new::<edit::EditArgs>("edit", HelpGroup::EveryDay, Reports::Once, Uses::Files),
    Registered::new::<list::ListArgs>("list", HelpGroup::EveryDay, Reports::Once, Uses::Files),
    Registered::new::<explain::ExplainArgs>("explain", HelpGroup::EveryDay, Reports::Once, Uses::Files),
    Registered::new::<install::InstallArgs>("install", HelpGroup::Cluster, Reports::Once, Uses::Programs),
    Registered::new::<install::UninstallArgs>("uninstall", HelpGroup::Cluster, Reports::Once, Uses::Programs),
    Registered::new::<migrate::MigrateArgs>("migrate", HelpGroup::Cluster, Reports::Once, Uses::Programs),
    Registered::new::<build::BuildArgs>("build", HelpGroup::Cluster, Reports::Once, Uses::Programs),
    Registered::new::<deploy::DeployArgs>("deploy", HelpGroup::Cluster, Reports::Lines, Uses::Programs),
    Registered::new::<deploy::UndeployArgs>("undeploy", HelpGroup::Cluster, Reports::Lines, Uses::Programs),
    Registered::new::<build_installer::BuildInstallerArgs>(
        "build-installer",
        HelpGroup::Cluster,
        Reports::Once,
        Uses::Programs,
    ),
    Registered::new::<bundle::BundleArgs>("bundle", HelpGroup::Cluster, Reports::Once, Uses::Programs),
    Registered::new::<health_checks::HealthChecksArgs>("health-checks", HelpGroup::Cluster, Reports::Once, Uses::Files),
    Registered::new::<status::StatusArgs>("status", HelpGroup::Cluster, Reports::Once, Uses::Programs),
    Registered::new::<logs::LogsArgs>("logs", HelpGroup::Cluster, Reports::Lines, Uses::Programs),
    Registered::new::<envtest::EnvtestArgs>("envtest", HelpGroup::Cluster, Reports::Once, Uses::ControlPlanes),
    Registered::new::<doctor::DoctorArgs>("doctor", HelpGroup::More, Reports::Once, Uses::Programs),
    Registered::new::<cache::CacheArgs>("cache", HelpGroup::More, Reports::Once, Uses::ControlPlanes),
    Registered::new::<update::UpdateArgs>("update", HelpGroup::More, Reports::Once, Uses::Files),
    Registered::new::<resolve::ResolveArgs>("resolve", HelpGroup::More, Reports::Once, Uses::Programs),
    Registered::new::<mcp::McpArgs>("mcp", HelpGroup::More, Reports::Once, Uses::Programs),
    Registered::new::<completion::CompletionArgs>("completion", HelpGroup::More, Reports::Once, Uses::Files),
    Registered::new::<version::VersionArgs>("version", HelpGroup::More, Reports::Once, Uses::Files),
    Registered::new::<help::HelpArgs>("help", HelpGroup::More, Reports::Once, Uses::Files),
    Registered::new::<guarded::ExecArgs>("__exec", HelpGroup::Hidden, Reports::Once, Uses::Parent),
    Registered::new::<guarded::GuardArgs>("__guard", HelpGroup::Hidden, Reports::Once, Uses::Parent),
];

/// Lets every flag with the value name [`BOOL`] be given without a value, which then means true.
fn with_bool_flags(command: clap::Command) -> clap::Command {
    let is_flag =
        |argument: &Arg| argument.get_value_names().is_some_and(|names| names.iter().any(|name| name == BOOL));
    let complete = |argument: Arg| {
        if !is_flag(&argument) {
            return argument;
        }
        argument.num_args(0..=1).require_equals(true).default_missing_value("true")
    };
    command.mut_args(complete).mut_subcommands(with_bool_flags)
}

/// A row of the table of commands.
pub(super) struct Registered {
    pub(super) name: &'static str,
    pub(super) group: HelpGroup,
    reports: Reports,
    uses: Uses,
    augment: fn(clap::Command) -> clap::Command,
    parse: fn(&Registered, &ArgMatches) -> Result<Invocation, clap::Error>,
}

impl Registered {
    const fn new<C: OpctlCommand>(name: &'static str, group: HelpGroup, reports: Reports, uses: Uses) -> Registered {
        Registered { name, group, reports, uses, augment: augment::<C>, parse: Invocation::parse::<C> }
    }
}

fn augment<C: OpctlCommand>(command: clap::Command) -> clap::Command {
    with_bool_flags(C::augment_args(command))
}

/// Returns the clap command `opctl`, in which each subcommand has only a name at first. While clap parses a command
/// line, clap adds the arguments of the subcommand that the command line names: adding the arguments of all subcommands
/// would take longer than many commands run.
pub(super) fn opctl_by_names() -> clap::Command {
    let commands = COMMANDS.iter().map(|command| clap::Command::new(command.name).defer(command.augment));
    let opctl = GlobalArgs::augment_args(clap::Command::new("opctl"));
    opctl.subcommand_required(true).disable_help_subcommand(true).subcommands(commands)
}

type Run = Box<dyn FnOnce(&Context) -> Result<Report>>;

/// A command with its arguments, ready to run.
pub(super) struct Invocation {
    pub(super) name: &'static str,
    pub(super) uses: Uses,
    pub(super) reports: Reports,
    pub(super) run: Run,
}

impl Invocation {
    fn parse<C: OpctlCommand>(row: &Registered, matches: &ArgMatches) -> Result<Invocation, clap::Error> {
        let command = C::from_arg_matches(matches)?;
        Ok(Invocation {
            name: command.full_name(row.name),
            uses: command.uses(row.uses),
            reports: row.reports,
            run: Box::new(move |context| command.run(context)),
        })
    }
}

fn registered_command(name: &str) -> Option<&'static Registered> {
    COMMANDS.iter().find(|command| command.name == name)
}

impl FromArgMatches for Invocation {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Invocation, clap::Error> {
        let named = matches.subcommand().and_then(|(name, matches)| Some((registered_command(name)?, matches)));
        match named {
            Some((command, matches)) => (command.parse)(command, matches),
            None => Err(clap::Error::new(ErrorKind::MissingSubcommand)),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Invocation::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Invocation {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        let shown = |command: &Registered| {
            let shown = (command.augment)(clap::Command::new(command.name));
            shown.hide(command.group == HelpGroup::Hidden)
        };
        command.subcommands(COMMANDS.iter().map(shown))
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        Invocation::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        registered_command(name).is_some()
    }
}
