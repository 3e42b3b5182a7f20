//! The place of a deployed operator.

use crate::cluster::{Remote, Target};
use crate::model::Project;
use std::path::Path;
use std::time::Duration;

/// A project whose operator is deployed, and the cluster.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// The project.
    pub project: &'a Project,
    /// The folder of the project.
    pub root: &'a Path,
    /// The image of the operator.
    pub image: &'a str,
    /// The cluster.
    pub target: Target,
    /// The handling of resources that are not on this machine.
    pub remote: Remote,
    /// Time limit of each step.
    pub timeout: Duration,
}
