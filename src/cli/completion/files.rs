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
        files.push((place(*shell).to_owned(), shell.script()?.into_bytes()));
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

/// Returns the path of the shell's completion script below `share`. Elvish and `PowerShell` do not search the path.
fn place(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => "bash-completion/completions/opctl",
        Shell::Elvish => "opctl/completions/opctl.elv",
        Shell::Fish => "fish/vendor_completions.d/opctl.fish",
        Shell::Powershell => "opctl/completions/opctl.ps1",
        Shell::Zsh => "zsh/site-functions/_opctl",
    }
}

/// Adds the man pages of a command and of its subcommands to `files`.
fn pages(command: &clap::Command, name: &str, files: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
    let mut page = Vec::new();
    Man::new(command.clone())
        .title(name)
        .render(&mut page)
        .map_err(|error| Error::bug(format!("the man page of `{name}` cannot be made")).source(&error))?;
    files.push((format!("man/man1/{name}.1"), page));
    for below in command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help") {
        pages(below, &format!("{name}-{}", below.get_name()), files)?;
    }
    Ok(())
}
