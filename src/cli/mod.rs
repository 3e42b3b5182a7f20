//! The command line. Each command has a file with its arguments and the function that runs it and returns a report.
//!
//! The table in `commands` lists all commands: parsing, help, completion and dispatch read it.

mod adopt;
mod build;
mod build_installer;
mod bundle;
mod cache;
mod command;
mod commands;
mod completion;
mod context;
mod create;
mod delete;
mod demo;
mod deploy;
mod docs;
mod doctor;
mod edit;
mod envtest;
mod explain;
mod explore;
mod global;
mod groups;
mod guarded;
mod help;
mod init;
mod install;
mod list;
mod local_webhooks;
mod logs;
mod manifest_files;
mod manifests;
mod migrate;
mod operator_program;
mod outer_workspace;
mod package;
mod panics;
mod remote;
mod rename;
mod resolve;
mod run;
mod sizes;
mod status;
mod steps;
mod test;
mod time_limit;
mod update;
mod usage;
mod verify;
mod version;
mod write;

pub use adopt::types_of;
pub use explore::remembered_plans;
pub use global::{GlobalArgs, OutputFormat};

use crate::report::{Console, Report, Verbosity};
use crate::system::with_large_stack;
use crate::{Error, Result};
use clap::{CommandFactory, FromArgMatches, Parser};
use command::{Reports, Uses};
use commands::Invocation;
use context::Context;
use panics::{end_on_panic, say};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use usage::usage;

const EXAMPLES: &str = "\
From an empty folder to a custom resource:
    opctl init --domain example.com
    opctl create api --kind WebServer
    opctl manifests && opctl install";

const EXIT_CODES: &str = "\
Exit codes: 0 done or nothing to do, 1 project, 2 command line, 3 conflict or drift, 4 environment, 5 cluster, 70 defect of opctl, 130 interrupted";

/// Scaffold, generate, install and run Kubernetes operators in Rust with kube-rs.
#[derive(Parser)]
#[command(name = "opctl", version, after_help = after_help(), arg_required_else_help = true, max_term_width = 100)]
#[command(disable_help_subcommand = true)]
struct Cli {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: Invocation,
}

impl Cli {
    /// Returns opctl with the arguments and texts of all commands.
    fn whole() -> clap::Command {
        let opctl = Cli::command();
        let template = groups::help_template(&opctl);
        opctl.help_template(template)
    }

    /// Reads a command line.
    fn read<W: Into<OsString> + Clone>(words: &[W]) -> Result<Cli, clap::Error> {
        let read = |opctl: clap::Command| {
            let matches = opctl.try_get_matches_from(words.iter().cloned())?;
            Cli::from_arg_matches(&matches)
        };
        // Errors and pages of help need the texts of all commands.
        read(commands::opctl_by_names()).or_else(|_| read(Cli::whole()))
    }
}

fn after_help() -> String {
    format!("{EXAMPLES}\n\n{}\n\n{EXIT_CODES}", help::list())
}

/// Runs the command line, and returns the exit code of the process.
pub fn main() -> ExitCode {
    with_large_stack(run)
}

fn run() -> ExitCode {
    match completion::answer(Cli::whole) {
        Ok(true) => return ExitCode::SUCCESS,
        Ok(false) => {}
        Err(error) => return usage(&error, &Cli::whole()),
    }
    let cli = match Cli::read(&std::env::args_os().collect::<Vec<_>>()) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, &Cli::whole()),
    };
    let verbosity = match (cli.global.quiet, cli.global.verbose) {
        (true, _) => Verbosity::Quiet,
        (_, true) => Verbosity::Verbose,
        _ => Verbosity::Normal,
    };
    let json = cli.global.output == Some(OutputFormat::Json);
    let color = cli.global.color;
    let console = Console::new(verbosity, color.into(), json);
    let directory = cli.global.directory.unwrap_or_else(|| PathBuf::from("."));
    let context = Context { console, directory, command: Cli::whole, run: typed };
    let name = cli.command.name;
    let lines = json && cli.command.reports == Reports::Lines;
    end_on_panic(name, context.console.clone(), lines);
    let code = match prepare(cli.command.uses, &context).and_then(|()| (cli.command.run)(&context)) {
        Ok(report) => {
            if lines {
                context.console.report_line(&report);
            } else {
                context.console.report(&report);
            }
            ExitCode::from(report.exit_code())
        }
        Err(error) => {
            say(name, &error, &context.console, lines);
            ExitCode::from(error.category().exit_code())
        }
    };
    match context.console.check_data() {
        Ok(()) => code,
        Err(error) => {
            Console::new(Verbosity::Quiet, color.into(), false).error(name, &error);
            ExitCode::from(error.category().exit_code())
        }
    }
}

/// Stops what a killed opctl left running, and makes an interrupt end the programs that this opctl starts.
fn prepare(uses: Uses, context: &Context) -> Result<()> {
    match uses {
        Uses::Parent => return Ok(()),
        Uses::Files => {}
        Uses::Programs | Uses::ControlPlanes => crate::exec::install_interrupt_handler()
            .map_err(|error| Error::environment("cannot wait for signals").caused_by(error))?,
    }
    match crate::envtest::reap(&context.console) {
        Ok(_) => Ok(()),
        Err(error) if uses == Uses::ControlPlanes => Err(error),
        // Without a home folder, or if the state of control planes cannot be read, all other commands still work.
        Err(error) => {
            context.console.detail(error);
            Ok(())
        }
    }
}

/// Runs one of opctl's commands within another one, as if a user had typed it; the first word is `opctl`.
fn typed(context: &Context, words: &[&str]) -> Result<Report> {
    let cli = Cli::read(words).map_err(|error| Error::bug("a command of opctl's own is wrong").source(&error))?;
    (cli.command.run)(context)
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
        let [by_names, whole] = [commands::opctl_by_names(), Cli::whole()].map(|mut command| {
            command.build();
            command.get_subcommands().flat_map(flags).collect::<BTreeSet<_>>()
        });
        assert!(whole.len() > 400, "{whole:?}");
        assert_eq!(by_names, whole);
    }
}
