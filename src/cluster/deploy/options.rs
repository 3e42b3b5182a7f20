//! Options of `deploy`.

use crate::cluster::Target;
use std::time::Duration;

/// Options of `deploy`.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command")]
pub struct DeployOptions {
    /// The cluster.
    pub target: Target,
    /// Time limit of the whole command.
    pub timeout: Duration,
    /// The image of the operator; `None` for the one that the manifests name.
    pub image: Option<String>,
    /// Take over fields that others manage.
    pub force_conflicts: bool,
    /// Let the server check everything and keep nothing.
    pub dry_run: bool,
    /// Show what changes.
    pub diff: bool,
    /// Wait until the operator runs.
    pub wait: bool,
}
