//! The interface of a command, and how the table of all commands parses, shows and runs one.

use super::{COMMANDS, Context};
use crate::Result;
use crate::report::Report;
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, FromArgMatches, Subcommand};

/// A command of opctl, implemented by its arguments.
pub(super) trait OpctlCommand: Args + 'static {
    /// The word after `opctl`.
    const NAME: &'static str;
    const GROUP: HelpGroup;
    const REPORTS: Reports;

    fn uses(&self) -> Uses;

    fn run(&self, context: &Context) -> Result<Report>;

    /// The name in reports, with the words of a subcommand.
    fn full_name(&self) -> &'static str {
        Self::NAME
    }
}

/// The groups of `opctl --help`, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HelpGroup {
    Begin,
    EveryDay,
    Cluster,
    More,
    /// Started by opctl itself, and not shown.
    Hidden,
}

impl HelpGroup {
    pub(super) const SHOWN: [HelpGroup; 4] =
        [HelpGroup::Begin, HelpGroup::EveryDay, HelpGroup::Cluster, HelpGroup::More];

    pub(super) fn title(self) -> &'static str {
        match self {
            HelpGroup::Begin => "Begin",
            HelpGroup::EveryDay => "Every day",
            HelpGroup::Cluster => "Cluster",
            HelpGroup::More => "More",
            HelpGroup::Hidden => "Hidden",
        }
    }
}

/// When a command reports with `-o json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reports {
    /// One document at the end.
    Once,
    /// A line of JSON for each step, because the command runs long.
    Lines,
}

/// Resources of this machine that a command uses, which decide how opctl prepares for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Uses {
    /// Nothing that its parent, another opctl, has not prepared.
    Parent,
    /// Files, and programs that end on their own: an interrupt may end it anywhere.
    Files,
    /// Programs or servers that must not outlive an interrupt.
    Programs,
    /// The control planes of this user, whose state must be readable.
    ControlPlanes,
}

/// The value name of a flag that can be given alone, or as `--flag=false`.
pub(super) const BOOL: &str = "BOOL";

/// Lets every flag of a [`BOOL`] be given without its value, which is true then.
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
        Registered { name: C::NAME, group: C::GROUP, augment: C::augment_args, parse: Invocation::parse::<C> }
    }
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
            with_bool_flags(shown).hide(command.group == HelpGroup::Hidden)
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
