//! The command line of opctl, with all commands.

use super::command_table::Invocation;
use super::global::GlobalArgs;
use super::{command_table, groups, help};
use crate::Result;
use clap::{CommandFactory, FromArgMatches, Parser};
use std::ffi::OsString;

const EXAMPLES: &str = "\
From an empty folder to a custom resource:
    opctl init --domain example.com
    opctl create api --kind WebServer
    opctl manifests && opctl install";

const EXIT_CODES: &str = "\
Exit codes: 0 done or nothing to do, 1 project, 2 command line,
3 conflict or drift, 4 environment, 5 cluster, 70 defect of opctl,
130 interrupted";

/// Scaffold, generate, install and run Kubernetes operators in Rust with kube-rs.
#[derive(Parser)]
#[command(name = "opctl", version, after_help = after_help(), arg_required_else_help = true, max_term_width = 100)]
#[command(disable_help_subcommand = true)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) global: GlobalArgs,
    #[command(subcommand)]
    pub(super) command: Invocation,
}

impl Cli {
    /// Returns the command `opctl` with the arguments and help texts of all subcommands.
    pub(super) fn full_command() -> clap::Command {
        let opctl = Cli::command();
        let template = groups::help_template(&opctl);
        opctl.help_template(template)
    }

    /// Parses the words of a command line.
    pub(super) fn read<W: Into<OsString> + Clone>(words: &[W]) -> Result<Cli, clap::Error> {
        let read = |opctl: clap::Command| {
            let matches = opctl.try_get_matches_from(words.iter().cloned())?;
            Cli::from_arg_matches(&matches)
        };
        // Errors and pages of help need the texts of all commands.
        read(command_table::opctl_by_names()).or_else(|_| read(Cli::full_command()))
    }
}

fn after_help() -> String {
    format!("{EXAMPLES}\n\n{}\n\n{EXIT_CODES}", help::list())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn commands_that_are_found_by_name_have_all_their_arguments() {
        fn flags(command: &clap::Command) -> BTreeSet<String> {
            let below = command.get_subcommands().flat_map(flags);
            let own = command.get_arguments().map(|argument| format!("{} {argument}", command.get_name()));
            own.chain(below).collect()
        }
        let [by_names, whole] = [command_table::opctl_by_names(), Cli::full_command()].map(|mut command| {
            command.build();
            command.get_subcommands().flat_map(flags).collect::<BTreeSet<_>>()
        });
        assert!(whole.len() > 400, "{whole:?}");
        assert_eq!(by_names, whole);
    }
}
