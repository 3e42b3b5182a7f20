//! The project and the cluster of a deployed operator.

use crate::cluster::{Remote, Target};
use crate::model::Project;
use std::path::Path;
use std::time::Duration;

/// A project whose operator is deployed, and the cluster in which the operator runs.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// The project whose operator is deployed.
    pub project: &'a Project,
    /// The folder of the project.
    pub root: &'a Path,
    /// The image of the operator.
    pub image: &'a str,
    /// The cluster in which the operator is deployed.
    pub target: Target,
    /// The handling of remote resources that kustomizations name.
    pub remote: Remote,
    /// Time limit of each step.
    pub timeout: Duration,
}
