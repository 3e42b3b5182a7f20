//! `opctl completion`.

mod candidates;
mod files;

use super::command::{HelpGroup, OpctlCommand, Reports, Uses};
use super::{Cli, Context};
use crate::report::{ChangeLine, Outcome, Report};
use crate::{Error, Result};
use clap::{Args, CommandFactory, ValueEnum, ValueHint};
use clap_complete::env::{Bash, CompleteEnv, Elvish, EnvCompleter, Fish, Powershell, Zsh};
use std::ffi::OsString;
use std::path::PathBuf;

/// The environment variable that a shell's script sets when it asks for candidates.
const VARIABLE: &str = "OPCTL_COMPLETE";

const EXAMPLES: &str = "\
Examples:
    source <(opctl completion bash)    # in ~/.bashrc
    opctl completion zsh > \"${fpath[1]}/_opctl\"
    opctl completion fish > ~/.config/fish/completions/opctl.fish
    opctl completion --prefix ~/.local    # all shells, and the man pages

The script asks opctl what may come next: commands, flags, the project's kinds and groups, and the kubeconfig's contexts.
Make it anew after an upgrade.";

/// Print a completion script, or write all of them and man pages
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[group(id = "what", required = true, multiple = false, args = ["shell", "prefix"])]
pub(super) struct CompletionArgs {
    /// The shell
    shell: Option<Shell>,
    /// Write the scripts of all shells and the man pages below DIR/share, where shells and man look for them
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    prefix: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "lower")]
enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}

impl Shell {
    fn name(self) -> &'static str {
        self.completer().name()
    }

    fn completer(self) -> &'static dyn EnvCompleter {
        match self {
            Shell::Bash => &Bash,
            Shell::Elvish => &Elvish,
            Shell::Fish => &Fish,
            Shell::Powershell => &Powershell,
            Shell::Zsh => &Zsh,
        }
    }

    fn script(self) -> Result<String> {
        let mut script = Vec::new();
        self.completer()
            .write_registration(VARIABLE, "opctl", "opctl", "opctl", &mut script)
            .map_err(|error| Error::bug("the completion script cannot be written").source(&error))?;
        Ok(String::from_utf8_lossy(&script).trim_start().to_owned())
    }
}

impl OpctlCommand for CompletionArgs {
    const NAME: &'static str = "completion";
    const GROUP: HelpGroup = HelpGroup::More;
    const REPORTS: Reports = Reports::Once;

    fn uses(&self) -> Uses {
        Uses::Files
    }

    fn run(&self, _: &Context) -> Result<Report> {
        run(self, &Cli::command())
    }
}

fn run(args: &CompletionArgs, command: &clap::Command) -> Result<Report> {
    if let Some(prefix) = &args.prefix {
        let files = files::write(prefix, command)?;
        let mut report = Report::new("completion", Outcome::Changed).summary(format!("{} files written", files.len()));
        report.changes =
            files.into_iter().map(|path| ChangeLine { action: "create".to_owned(), path, diff: None }).collect();
        return Ok(report);
    }
    // clap sees to it that one of the two is there.
    let shell = args.shell.unwrap_or(Shell::Bash);
    let script = shell.script()?;
    let data = serde_json::json!({ "shell": shell.name(), "script": script });
    Ok(Report::shown("completion", script, data))
}

/// Answers a shell that asks for candidates, and returns true if one did.
pub(super) fn answer(command: fn() -> clap::Command) -> clap::error::Result<bool> {
    let factory = || candidates::with_all_candidates(command());
    let here = std::env::current_dir().ok();
    CompleteEnv::with_factory(factory).var(VARIABLE).try_complete(std::env::args_os(), here.as_deref())
}

/// Returns the value of a flag on the command line that is being completed; bash gives `=` as a word.
fn stated(flag: &str) -> Option<OsString> {
    let mut words = std::env::args_os().skip_while(|word| word != "--").skip(1);
    while let Some(word) = words.next() {
        if word == flag {
            return words.find(|word| word != "=");
        }
        if let Some(value) = word.to_str().and_then(|word| word.strip_prefix(flag)?.strip_prefix('=')) {
            return Some(value.into());
        }
    }
    None
}
