//! Writes the completion scripts and man pages to files, for packages of the operating system.

use super::shell::Shell;
use crate::error::file_error;
use crate::system;
use crate::{Error, Result};
use clap::ValueEnum;
use clap_mangen::Man;
use std::path::Path;

/// Writes all completion scripts and man pages below `prefix`, and returns their paths for the report.
pub(super) fn write(prefix: &Path, command: &clap::Command) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for shell in Shell::value_variants() {
        files.push((script_path(*shell).to_owned(), shell.script()?.into_bytes()));
    }
    let mut command = command.clone();
    command.build();
    pages(&command, "opctl", &mut files)?;
    let mut written = Vec::new();
    for (place, content) in files {
        let path = prefix.join("share").join(place);
        if let Some(folder) = path.parent() {
            system::create_folders(folder).map_err(|error| file_error("create", folder, &error))?;
        }
        system::write_file(&path, content).map_err(|error| file_error("write", &path, &error))?;
        written.push(path.display().to_string());
    }
    Ok(written)
}

/// Returns the path of the shell's completion script below `share`. bash, fish and zsh find the script there. Elvish
/// and `PowerShell` do not search for scripts, so their users must load it themselves.
fn script_path(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => "bash-completion/completions/opctl",
        Shell::Elvish => "opctl/completions/opctl.elv",
        Shell::Fish => "fish/vendor_completions.d/opctl.fish",
        Shell::Powershell => "opctl/completions/opctl.ps1",
        Shell::Zsh => "zsh/site-functions/_opctl",
    }
}

/// Returns the man page `page` without hyphenation and with the original line breaks in the examples, so that users can
/// copy commands from the page.
fn with_examples_as_they_are(page: &str) -> String {
    page.replacen(".SH NAME\n", ".nh\n.ad l\n.SH NAME\n", 1)
        .replacen(".SH EXTRA\n", ".SH EXAMPLES\n.nf\n", 1)
        .replacen(".SH VERSION\n", ".fi\n.SH VERSION\n", 1)
        .replace("\\fB\\-C \\fR", "\\fB\\-C\\fR")
}

/// Adds the man pages of a command and of its subcommands to `files`.
fn pages(command: &clap::Command, name: &str, files: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
    let mut page = Vec::new();
    // `opctl help` has no page of its own.
    let has_help = command.find_subcommand("help").is_some();
    let shown = if has_help { command.clone().mut_subcommand("help", |help| help.hide(true)) } else { command.clone() };
    Man::new(shown)
        .title(name)
        .source(concat!("opctl ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)
        .map_err(|error| Error::bug(format!("the man page of `{name}` cannot be made")).source(&error))?;
    files.push((format!("man/man1/{name}.1"), with_examples_as_they_are(&String::from_utf8_lossy(&page)).into_bytes()));
    for below in command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help") {
        pages(below, &format!("{name}-{}", below.get_name()), files)?;
    }
    Ok(())
}
