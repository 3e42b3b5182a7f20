//! The table of all commands, and how opctl parses, shows and runs one of them.

use super::command::{BOOL, HelpGroup, OpctlCommand, Reports, Uses};
use super::context::Context;
use super::global::GlobalArgs;
use super::{
    adopt, build, build_installer, bundle, cache, completion, create, delete, demo, deploy, docs, doctor, edit,
    envtest, explain, explore, guarded, help, init, install, list, logs, manifests, migrate, rename, resolve, run,
    status, test, update, version,
};
use crate::Result;
use crate::report::Report;
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, FromArgMatches, Subcommand};

/// All commands, in the order of `opctl --help`.
pub(super) const COMMANDS: &[Registered] = &[
    Registered::new::<init::InitArgs>(),
    Registered::new::<adopt::AdoptArgs>(),
    Registered::new::<create::CreateArgs>(),
    Registered::new::<delete::DeleteArgs>(),
    Registered::new::<rename::RenameArgs>(),
    Registered::new::<demo::DemoArgs>(),
    Registered::new::<manifests::ManifestsArgs>(),
    Registered::new::<docs::DocsArgs>(),
    Registered::new::<run::RunArgs>(),
    Registered::new::<test::TestArgs>(),
    Registered::new::<explore::ExploreArgs>(),
    Registered::new::<edit::EditArgs>(),
    Registered::new::<list::ListArgs>(),
    Registered::new::<explain::ExplainArgs>(),
    Registered::new::<install::InstallArgs>(),
    Registered::new::<install::UninstallArgs>(),
    Registered::new::<migrate::MigrateArgs>(),
    Registered::new::<build::BuildArgs>(),
    Registered::new::<deploy::DeployArgs>(),
    Registered::new::<deploy::UndeployArgs>(),
    Registered::new::<build_installer::BuildInstallerArgs>(),
    Registered::new::<bundle::BundleArgs>(),
    Registered::new::<status::StatusArgs>(),
    Registered::new::<logs::LogsArgs>(),
    Registered::new::<envtest::EnvtestArgs>(),
    Registered::new::<doctor::DoctorArgs>(),
    Registered::new::<cache::CacheArgs>(),
    Registered::new::<update::UpdateArgs>(),
    Registered::new::<resolve::ResolveArgs>(),
    Registered::new::<completion::CompletionArgs>(),
    Registered::new::<version::VersionArgs>(),
    Registered::new::<help::HelpArgs>(),
    Registered::new::<guarded::ExecArgs>(),
    Registered::new::<guarded::GuardArgs>(),
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
    augment: fn(clap::Command) -> clap::Command,
    parse: fn(&ArgMatches) -> Result<Invocation, clap::Error>,
}

impl Registered {
    pub(super) const fn new<C: OpctlCommand>() -> Registered {
        Registered { name: C::NAME, group: C::GROUP, augment: augment::<C>, parse: Invocation::parse::<C> }
    }
}

fn augment<C: OpctlCommand>(command: clap::Command) -> clap::Command {
    with_bool_flags(C::augment_args(command))
}

/// Returns opctl with all commands by name. The arguments of a command are added once it is found in the command line,
/// because those of all take longer than the work of many a command.
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
    fn parse<C: OpctlCommand>(matches: &ArgMatches) -> Result<Invocation, clap::Error> {
        let command = C::from_arg_matches(matches)?;
        Ok(Invocation {
            name: command.full_name(),
            uses: command.uses(),
            reports: C::REPORTS,
            run: Box::new(move |context| command.run(context)),
        })
    }
}

fn registered(name: &str) -> Option<&'static Registered> {
    COMMANDS.iter().find(|command| command.name == name)
}

impl FromArgMatches for Invocation {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Invocation, clap::Error> {
        let named = matches.subcommand().and_then(|(name, matches)| Some((registered(name)?, matches)));
        match named {
            Some((command, matches)) => (command.parse)(matches),
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
        registered(name).is_some()
    }
}
