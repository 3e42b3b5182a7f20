//! `opctl completion`.

use crate::report::Report;
use clap::Args;
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
    opctl completion bash > ~/.local/share/bash-completion/completions/opctl
    opctl completion zsh > \"${fpath[1]}/_opctl\"";

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct CompletionArgs {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: &CompletionArgs, command: &mut clap::Command) -> Report {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "opctl", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let data = serde_json::json!({ "shell": args.shell.to_string(), "script": script });
    Report::shown("completion", script, data)
}
