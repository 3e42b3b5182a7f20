//! Implements `opctl completion`, which prints completion scripts, or writes completion scripts and man pages.

mod candidates;
mod package_files;
mod shell;
mod stated;

use crate::Result;
use crate::commands::command::OpctlCommand;
use crate::commands::context::Context;
use crate::report::{ChangeLine, Form, Outcome, Report};
use clap::{Args, ValueHint};
use clap_complete::env::CompleteEnv;
use shell::{Shell, VARIABLE};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
    source <(opctl completion bash)    # in ~/.bashrc
    opctl completion zsh > \"${fpath[1]}/_opctl\"
    opctl completion fish > ~/.config/fish/completions/opctl.fish
    opctl completion --prefix ~/.local    # all shells, and the man pages

The script asks opctl what may come next: commands, flags, the project's kinds
and groups, and the kubeconfig's contexts. Write the script again after each
upgrade of opctl.";

/// Print a completion script, or write all scripts and man pages
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[group(id = "what", required = true, multiple = false, args = ["shell", "prefix"])]
pub(super) struct CompletionArgs {
    /// The shell that the completion script is for
    shell: Option<Shell>,
    /// Write the scripts of all shells and the man pages below DIR/share, where shells and man look for them
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    prefix: Option<PathBuf>,
}

impl OpctlCommand for CompletionArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        run(self, &(context.command)())
    }
}

fn run(args: &CompletionArgs, command: &clap::Command) -> Result<Report> {
    if let Some(prefix) = &args.prefix {
        let files = package_files::write(prefix, command)?;
        let mut report = Report::new("completion", Outcome::Changed).summary(format!("{} files written", files.len()));
        report.changes =
            files.into_iter().map(|path| ChangeLine { action: "create".to_owned(), path, diff: None }).collect();
        return Ok(report);
    }
    // clap makes sure that either a shell or a prefix is given.
    let shell = args.shell.unwrap_or(Shell::Bash);
    let script = shell.script()?;
    let data = serde_json::json!({ "shell": shell.name(), "script": script });
    Ok(Report { form: Form::Document, ..Report::shown("completion", script, data) })
}

/// Prints completion candidates if a shell requests them, and returns true in this case.
pub(super) fn answer(command: fn() -> clap::Command) -> clap::error::Result<bool> {
    let factory = || candidates::with_all_candidates(command());
    let here = std::env::current_dir().ok();
    CompleteEnv::with_factory(factory).var(VARIABLE).try_complete(std::env::args_os(), here.as_deref())
}
