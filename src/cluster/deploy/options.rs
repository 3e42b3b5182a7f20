//! Options of `deploy`.

use crate::cluster::{Remote, Target};
use std::time::Duration;

/// Options of `deploy`.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command")]
pub struct DeployOptions {
    /// The cluster to deploy to.
    pub target: Target,
    /// Time limit of the whole command.
    pub timeout: Duration,
    /// The handling of remote resources that kustomizations name.
    pub remote: Remote,
    /// The image of the operator; `None` for the image that the manifests name.
    pub image: Option<String>,
    /// Take over fields that other field managers own.
    pub force_conflicts: bool,
    /// Let the server validate everything and store nothing.
    pub dry_run: bool,
    /// Show the diff of each object.
    pub diff: bool,
    /// Wait until the operator runs.
    pub wait: bool,
}
