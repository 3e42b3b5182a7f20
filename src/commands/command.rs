//! Defines the trait [`OpctlCommand`], which each command implements, and the properties of commands.

use super::context::Context;
use crate::Result;
use crate::report::Report;
use clap::Args;

/// A command of opctl; the type of its arguments implements this trait.
pub(crate) trait OpctlCommand: Args + 'static {
    fn run(&self, context: &Context) -> Result<Report>;

    /// Returns the command's name in reports: `name`, or both words of a command with a subcommand, such as
    /// `create api`.
    fn full_name(&self, name: &'static str) -> &'static str {
        name
    }

    /// Returns the resources that the command uses: by default `most`, the resources in the command's entry of the
    /// command table. A command overrides this method if one of its subcommands uses fewer resources.
    fn uses(&self, most: Uses) -> Uses {
        most
    }
}

/// The groups of commands in `opctl --help`, in the order of that page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum HelpGroup {
    Begin,
    EveryDay,
    Cluster,
    More,
    /// Commands that only opctl itself starts, and that `opctl --help` does not show.
    Hidden,
}

impl HelpGroup {
    pub(crate) const SHOWN: [HelpGroup; 4] =
        [HelpGroup::Begin, HelpGroup::EveryDay, HelpGroup::Cluster, HelpGroup::More];

    pub(crate) fn title(self) -> &'static str {
        match self {
            HelpGroup::Begin => "Begin",
            HelpGroup::EveryDay => "Every day",
            HelpGroup::Cluster => "Cluster",
            HelpGroup::More => "More",
            HelpGroup::Hidden => "Hidden",
        }
    }
}

/// The form of a command's report with `-o json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reports {
    /// One JSON document at the end of the command.
    Once,
    /// One line of JSON for each step, for commands that run long.
    Lines,
}

/// The resources of this machine that a command uses. Before opctl runs the command, it prepares for these resources:
/// it installs an interrupt handler, for example, if the command starts programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Uses {
    /// Only resources that the parent process, another opctl process, has prepared.
    Parent,
    /// Files, and programs that opctl need not stop: an interrupt may end the command at any point.
    Files,
    /// Programs or servers that must not outlive an interrupt.
    Programs,
    /// The control planes of this user, whose state must be readable.
    ControlPlanes,
}

/// The value name of a flag that can be given without a value, or as `--flag=false`.
pub(crate) const BOOL: &str = "BOOL";
