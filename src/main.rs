//! The binary.

use anstream::ColorChoice;
use clap::{Parser, Subcommand};
use opctl::cli::envtest::{EnvtestArgs, run};
use opctl::report::{Console, Verbosity};
use std::ffi::OsString;
use std::process::ExitCode;

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[arg(short, global = true)]
    output: Option<String>,
    #[arg(short, global = true)]
    verbose: bool,
}

#[derive(Subcommand)]
enum Command {
    Envtest(EnvtestArgs),
    #[cfg(target_os = "linux")]
    #[command(name = "__exec", hide = true)]
    Exec {
        parent: u32,
        program: OsString,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let verbosity = if cli.verbose { Verbosity::Verbose } else { Verbosity::Normal };
    let console = Console::new(verbosity, ColorChoice::Auto, cli.output.is_some());
    match &cli.command {
        Command::Envtest(args) => {
            if !std::env::args().any(|argument| argument == "__supervise") {
                let _ = opctl::exec::install_interrupt_handler();
            }
            match run(args, &console) {
                Ok(report) => {
                    console.report(&report);
                    ExitCode::SUCCESS
                }
                Err(error) => {
                    console.error("envtest", &error);
                    ExitCode::from(error.category().exit_code())
                }
            }
        }
        #[cfg(target_os = "linux")]
        Command::Exec { parent, program, arguments } => {
            let error = opctl::exec::become_program(*parent, program, arguments);
            console.error("__exec", &opctl::Error::environment("cannot exec").source(&error));
            ExitCode::from(4)
        }
    }
}
