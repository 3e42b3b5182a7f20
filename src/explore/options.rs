//! The options of an exploration.

use std::path::PathBuf;
use std::time::Duration;

/// The scope of an exploration, and its limits.
#[derive(Clone, Debug)]
pub struct Options {
    /// New runs begin within this time after the references; without a budget, all points are tried.
    pub budget: Option<Duration>,
    /// Only plans that contain one of these texts are tried; all plans if it is empty.
    pub only: Vec<String>,
    /// The number of concurrent runs. With 1, there is never a second process of the operator.
    pub jobs: usize,
    /// An operator that needs longer than this to reach the state of the reference counts as late.
    pub patience: Duration,
    /// The folder for the kubeconfigs, one for each run.
    pub folder: PathBuf,
}
