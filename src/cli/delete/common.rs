//! The arguments that all deletions have.

use crate::cli::write::WriteArgs;
use clap::Args;

/// The kind, and how it is written.
#[derive(Args, Debug)]
pub(super) struct Common {
    /// The kind
    #[arg(long)]
    pub(super) kind: String,
    /// The part of the API group before the domain, or a group of Kubernetes' own [default: none, the API group is the domain]
    #[arg(long)]
    pub(super) group: Option<String>,
    /// The version [default: all versions]
    #[arg(long)]
    pub(super) version: Option<String>,
    /// Remove files that you have edited, too: what you wrote into them is lost
    #[arg(long)]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) write: WriteArgs,
}
