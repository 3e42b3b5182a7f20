//! The shells, and their completion scripts.

use crate::{Error, Result};
use clap::ValueEnum;
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Zsh};

/// The environment variable with which a shell's completion script requests candidates.
pub(super) const VARIABLE: &str = "OPCTL_COMPLETE";

#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "lower")]
pub(super) enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}

impl Shell {
    pub(super) fn name(self) -> &'static str {
        self.completer().name()
    }

    pub(super) fn completer(self) -> &'static dyn EnvCompleter {
        match self {
            Shell::Bash => &Bash,
            Shell::Elvish => &Elvish,
            Shell::Fish => &Fish,
            Shell::Powershell => &Powershell,
            Shell::Zsh => &Zsh,
        }
    }

    pub(super) fn script(self) -> Result<String> {
        let mut script = Vec::new();
        self.completer()
            .write_registration(VARIABLE, "opctl", "opctl", "opctl", &mut script)
            .map_err(|error| Error::bug("the completion script cannot be written").source(&error))?;
        Ok(String::from_utf8_lossy(&script).trim_start().to_owned())
    }
}
