//! The arguments that all subcommands of `opctl delete` share.

use crate::commands::write::WriteArgs;
use clap::Args;

/// The flags that name the kind and control how files are written.
#[derive(Args, Debug)]
pub(super) struct Common {
    /// The kind to delete, or the kind whose controller, webhooks or policies to delete
    #[arg(long)]
    pub(super) kind: String,
    /// The part of the API group before the domain, or a Kubernetes group [default: none, the API group is the domain]
    #[arg(long)]
    pub(super) group: Option<String>,
    /// The version [default: all versions]
    #[arg(long)]
    pub(super) version: Option<String>,
    /// Also remove files that you have edited: your edits are lost
    #[arg(long)]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) write: WriteArgs,
}
