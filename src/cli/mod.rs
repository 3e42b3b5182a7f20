//! The command line: one file a command, each its arguments and the way from them to an intent and a report.

mod build;
mod build_installer;
mod completion;
mod context;
mod create;
mod demo;
mod deploy;
mod edit;
mod envtest;
mod explain;
mod global;
mod groups;
mod help;
mod init;
mod install;
mod list;
mod manifest_files;
mod manifests;
mod package;
mod resolve;
mod run;
mod steps;
mod test;
mod update;
mod verify;
mod version;
mod write;

pub use global::{GlobalArgs, OutputFormat};

use crate::report::{Console, Report, Verbosity};
use crate::{Error, Result, system};
use clap::{CommandFactory, Parser, Subcommand};
use context::{Context, tell};
use std::ffi::OsString;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
From an empty folder to a custom resource:
    opctl init --domain example.com
    opctl create api --kind WebServer
    opctl manifests && opctl install";

const EXIT_CODES: &str = "\
Exit codes: 0 done or nothing to do, 1 project, 2 command line, 3 conflict or drift, 4 environment, 5 cluster, 70 defect of opctl, 130 interrupted";

/// Scaffold, generate, install and run Kubernetes operators in Rust with kube-rs.
#[derive(Debug, Parser)]
#[command(name = "opctl", version, after_help = after_help(), arg_required_else_help = true, max_term_width = 100)]
#[command(disable_help_subcommand = true, help_template = groups::help_template::<Command>())]
struct Cli {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::InitArgs),
    Create(create::CreateArgs),
    Edit(edit::EditArgs),
    Manifests(manifests::ManifestsArgs),
    Resolve(resolve::ResolveArgs),
    Update(update::UpdateArgs),
    Install(install::InstallArgs),
    Uninstall(install::UninstallArgs),
    Deploy(deploy::DeployArgs),
    Undeploy(deploy::UndeployArgs),
    Build(build::BuildArgs),
    BuildInstaller(build_installer::BuildInstallerArgs),
    Run(run::RunArgs),
    Test(test::TestArgs),
    Explain(explain::ExplainArgs),
    List(list::ListArgs),
    Envtest(envtest::EnvtestArgs),
    Demo(demo::DemoArgs),
    Completion(completion::CompletionArgs),
    Version(version::VersionArgs),
    Help(help::HelpArgs),
    /// Becomes a program that dies with the process that asked for it.
    #[command(name = "__exec", hide = true)]
    Exec {
        parent: u32,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        program: Vec<OsString>,
    },
    /// Runs a program that is killed, with its children, when the process that asked for it ends.
    #[command(name = "__guard", hide = true)]
    Guard {
        parent: u32,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        program: Vec<OsString>,
    },
}

fn after_help() -> String {
    format!("{EXAMPLES}\n\n{}\n\n{EXIT_CODES}", help::list())
}

/// Runs the command line and gives the process's exit code.
pub fn main() -> ExitCode {
    match completion::answer(Cli::command) {
        Ok(true) => return ExitCode::SUCCESS,
        Ok(false) => {}
        Err(error) => return usage(&error),
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let verbosity = match (cli.global.quiet, cli.global.verbose) {
        (true, _) => Verbosity::Quiet,
        (_, true) => Verbosity::Verbose,
        _ => Verbosity::Normal,
    };
    let json = cli.global.output == Some(OutputFormat::Json);
    let color = cli.global.color;
    let console = Console::new(verbosity, color.into(), json);
    let context =
        Context { console, directory: cli.global.directory.unwrap_or_else(|| PathBuf::from(".")), run: typed };
    let name = cli.command.name();
    // A long command has said something before: each report is a line then.
    let lines = json && cli.command.is_long();
    let run = || cli.command.prepare(&context).and_then(|()| cli.command.run(&context));
    let code = match std::panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(defect())) {
        Ok(report) => {
            if lines {
                context.console.report_line(&report);
            } else {
                context.console.report(&report);
            }
            ExitCode::from(report.outcome.exit_code())
        }
        Err(error) => {
            if lines {
                tell(name, &error, &context);
            } else {
                context.console.error(name, &error);
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

/// Makes the error for a panic, whose message has been printed.
fn defect() -> Error {
    Error::bug("opctl has a defect: this should not happen")
        .hint("report it, with the lines above and what you ran; the next opctl command clears what was begun")
}

impl Command {
    /// Returns true for a command that reports its steps as they are done, a line of JSON each.
    fn is_long(&self) -> bool {
        matches!(
            self,
            Command::Demo(_) | Command::Deploy(_) | Command::Run(_) | Command::Test(_) | Command::Undeploy(_)
        )
    }

    fn name(&self) -> &'static str {
        match self {
            Command::Init(_) => "init",
            Command::Create(args) => args.name(),
            Command::Edit(_) => "edit",
            Command::Manifests(_) => "manifests",
            Command::Resolve(_) => "resolve",
            Command::Update(_) => "update",
            Command::Install(_) => "install",
            Command::Deploy(_) => "deploy",
            Command::Undeploy(_) => "undeploy",
            Command::Build(_) => "build",
            Command::BuildInstaller(_) => "build-installer",
            Command::Run(_) => "run",
            Command::Test(_) => "test",
            Command::Uninstall(_) => "uninstall",
            Command::Explain(_) => "explain",
            Command::List(_) => "list",
            Command::Envtest(_) => "envtest",
            Command::Demo(_) => "demo",
            Command::Completion(_) => "completion",
            Command::Version(_) => "version",
            Command::Help(_) => "help",
            Command::Exec { .. } => "__exec",
            Command::Guard { .. } => "__guard",
        }
    }

    /// Clears what a killed opctl left running, and sees to it that an interrupt leaves nothing either.
    fn prepare(&self, context: &Context) -> Result<()> {
        match self {
            Command::Exec { .. } | Command::Guard { .. } => return Ok(()),
            Command::Envtest(args) if args.is_supervisor() => return Ok(()),
            Command::Build(_)
            | Command::Manifests(_)
            | Command::Install(_)
            | Command::Uninstall(_)
            | Command::Deploy(_)
            | Command::Undeploy(_)
            | Command::Resolve(_)
            | Command::Run(_)
            | Command::Test(_)
            | Command::Demo(_)
            | Command::Envtest(_) => {
                crate::exec::install_interrupt_handler()
                    .map_err(|error| Error::environment("cannot wait for signals").caused_by(error))?;
            }
            _ => {}
        }
        match (self, crate::envtest::reap(&context.console)) {
            (Command::Demo(_) | Command::Envtest(_), Err(error)) => Err(error),
            // Without a home, or where its state cannot be read, everything else works all the same.
            (_, Err(error)) => {
                context.console.detail(error);
                Ok(())
            }
            (_, Ok(_)) => Ok(()),
        }
    }

    fn run(self, context: &Context) -> Result<Report> {
        match self {
            Command::Init(args) => init::run(&args, context),
            Command::Create(args) => create::run(&args, context),
            Command::Edit(args) => edit::run(&args, context),
            Command::Manifests(args) => manifests::run(&args, context),
            Command::Resolve(args) => resolve::run(&args, context),
            Command::Update(args) => update::run(&args, context),
            Command::Deploy(args) => deploy::deploy(&args, context),
            Command::Undeploy(args) => deploy::undeploy(&args, context),
            Command::Build(args) => build::run(&args, context),
            Command::BuildInstaller(args) => build_installer::run(&args, context),
            Command::Run(args) => run::run(&args, context),
            Command::Test(args) => test::run(&args, context),
            Command::Install(args) => install::install(&args, context),
            Command::Uninstall(args) => install::uninstall(&args, context),
            Command::Explain(args) => explain::run(&args),
            Command::List(args) => list::run(&args, context),
            Command::Envtest(args) => envtest::run(&args, &context.console),
            Command::Demo(args) => demo::run_demo(&args, context),
            Command::Completion(args) => completion::run(&args, &Cli::command()),
            Command::Version(args) => Ok(version::run(&args)),
            Command::Help(args) => help::run(&args, Cli::command()),
            Command::Exec { parent, program } => Err(become_program(parent, &program)),
            Command::Guard { parent, program } => guard(parent, &program),
        }
    }
}

/// Runs one of opctl's commands for another one, as if it had been typed; the first word is `opctl`.
fn typed(context: &Context, words: &[&str]) -> Result<Report> {
    let cli =
        Cli::try_parse_from(words).map_err(|error| Error::bug("a command of opctl's own is wrong").source(&error))?;
    cli.command.run(context)
}

#[expect(clippy::exit, reason = "the exit code is the program's, which has said everything")]
fn guard(parent: u32, program: &[OsString]) -> Result<Report> {
    let status = system::guard(parent, &program[0], &program[1..]);
    let status = status
        .map_err(|error| Error::environment(format!("cannot run `{}`", program[0].display())).caused_by(error))?;
    std::process::exit(status.code().unwrap_or(1))
}

fn become_program(parent: u32, program: &[OsString]) -> Error {
    let error = system::become_program(parent, &program[0], &program[1..]);
    Error::environment(format!("cannot run `{}`", program[0].display())).caused_by(error)
}

/// Prints what clap says about a command line; as a report where JSON is wanted.
fn usage(error: &clap::Error) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let json = arguments.windows(2).any(|pair| (pair[0] == "-o" || pair[0] == "--output") && pair[1] == "json")
        || arguments.iter().any(|argument| argument == "-ojson" || argument == "--output=json");
    if error.use_stderr() && json {
        let text = error.render().to_string();
        // What is missing or allowed stands below the first line, and the rest is how to go on.
        let lines: Vec<&str> = text
            .lines()
            .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
            .map(str::trim)
            .collect();
        let (tips, message): (Vec<&str>, Vec<&str>) = lines.iter().partition(|line| line.starts_with("tip: "));
        let message = message.join(" ").split(" [subcommands:").next().unwrap_or_default().trim().to_owned();
        let message = message.trim_start_matches("error: ");
        let hint = tips.first().map_or("opctl --help", |tip| tip.trim_start_matches("tip: "));
        let command = Cli::command();
        let named = |name: &&str| command.find_subcommand(name).is_some();
        let name = arguments.iter().skip(1).filter_map(|argument| argument.to_str()).find(named).unwrap_or_default();
        let error = Error::usage(message).hint(hint);
        Console::new(Verbosity::Quiet, anstream::ColorChoice::Never, true).error(name, &error);
    } else if let Err(lost) = error.print()
        && !error.use_stderr()
        && lost.kind() != std::io::ErrorKind::BrokenPipe
    {
        let error = Error::environment("cannot write to stdout").caused_by(lost);
        Console::new(Verbosity::Quiet, anstream::ColorChoice::Auto, false).error("", &error);
        return ExitCode::from(error.category().exit_code());
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
