//! Defines the flag `--allow-remote`, with which a command lets kubectl fetch parts that a kustomization names by a
//! URL.

use crate::cluster::Remote;
use crate::error::Hint;
use clap::Args;

/// The flag `--allow-remote` of the commands that render `config/default`.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct RemoteArgs {
    /// Let kubectl fetch parts that a kustomization names by a URL
    #[arg(long)]
    allow_remote: bool,
}

impl RemoteArgs {
    pub(super) fn remote(self) -> Remote {
        if self.allow_remote { Remote::Fetched } else { Remote::Refused }
    }

    /// Returns `--allow-remote`, preceded by a blank, if the flag was given, else an empty text. The result is appended
    /// to command lines that the user can run again.
    pub(super) fn flag(self) -> Hint {
        if self.allow_remote { " --allow-remote".into() } else { Hint::default() }
    }
}
