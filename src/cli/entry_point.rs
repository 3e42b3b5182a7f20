//! Runs a command line.

use super::command_line::Cli;
use super::completion;
use super::global::OutputFormat;
use super::panics::{end_on_panic, print_error};
use super::usage::usage;
use crate::commands::command::{Reports, Uses};
use crate::commands::context::Context;
use crate::commands::explain::lints;
use crate::report::{Console, Report, Verbosity};
use crate::system::with_large_stack;
use crate::{Error, Result};
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs the command line, and returns the exit code of the process.
pub fn main() -> ExitCode {
    with_large_stack(run)
}

pub(super) fn run() -> ExitCode {
    match completion::answer(Cli::full_command) {
        Ok(true) => return ExitCode::SUCCESS,
        Ok(false) => {}
        Err(error) => return usage(error, &Cli::full_command()),
    }
    let cli = match Cli::read(&std::env::args_os().collect::<Vec<_>>()) {
        Ok(cli) => cli,
        Err(error) => return usage(error, &Cli::full_command()),
    };
    let verbosity = match (cli.global.quiet, cli.global.verbose) {
        (true, _) => Verbosity::Quiet,
        (_, true) => Verbosity::Verbose,
        _ => Verbosity::Normal,
    };
    let json = cli.global.output.is_some();
    let sarif = cli.global.output == Some(OutputFormat::Sarif);
    let color = cli.global.color;
    let console = Console::new(verbosity, color.into(), json);
    let console = if sarif { console.without_steps() } else { console };
    let directory = cli.global.directory.unwrap_or_else(|| PathBuf::from("."));
    let context = Context { console, directory, command: Cli::full_command, run: run_command_line };
    let name = cli.command.name;
    let lines = json && cli.command.reports == Reports::Lines;
    end_on_panic(name, context.console.clone(), lines);
    let ran = check_sarif_support(name, sarif)
        .and_then(|()| prepare(cli.command.uses, &context))
        .and_then(|()| (cli.command.run)(&context));
    let code = match ran {
        Ok(report) => {
            if sarif {
                context.console.sarif(&report, &lints());
            } else if lines {
                context.console.report_line(&report);
            } else {
                context.console.report(&report);
            }
            ExitCode::from(report.exit_code())
        }
        Err(error) => {
            if sarif {
                context.console.sarif(&Report::failed(name, &error), &lints());
            } else {
                print_error(name, &error, &context.console, lines);
            }
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

/// Fails if a user asks for `-o sarif` from a command that never reports findings with line numbers.
fn check_sarif_support(name: &str, sarif: bool) -> Result<()> {
    if !sarif || ["bundle", "explore", "manifests"].contains(&name) {
        return Ok(());
    }
    Err(Error::usage(format!(
        "`-o sarif` works only with `opctl manifests`, `opctl bundle --check` and `opctl explore`; `{name}` has no \
         findings with line numbers"
    ))
    .hint("-o json"))
}

/// Stops the control planes that an earlier opctl process left running when it was killed. For commands that start
/// programs, also installs a handler, so that an interrupt of opctl stops these programs.
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

/// Runs a command of opctl within another command, as if a user had typed it. The first word is `opctl`.
fn run_command_line(context: &Context, words: &[&str]) -> Result<Report> {
    let cli =
        Cli::read(words).map_err(|error| Error::bug("an internal command line of opctl is invalid").source(&error))?;
    (cli.command.run)(context)
}
