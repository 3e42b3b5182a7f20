//! The options of an exploration.

use std::path::PathBuf;
use std::time::Duration;

/// The scope of an exploration, and its limits.
#[derive(Clone, Debug)]
pub struct Options {
    /// The time for new runs; without a budget, all points are tried.
    pub budget: Option<Budget>,
    /// Only plans that contain one of these texts are tried; all plans if it is empty.
    pub only: Vec<String>,
    /// The number of faults in a run: with 2, pairs of faults are tried as well.
    pub depth: u8,
    /// The number of concurrent runs. With 1, there is never a second process of the operator.
    pub jobs: usize,
    /// An operator that needs longer than this to reach the state of the reference counts as late.
    pub patience: Duration,
    /// The folder for the kubeconfigs, one for each run.
    pub folder: PathBuf,
}

/// The time for new runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// New runs begin within this time after the references.
    NewRuns(Duration),
    /// The whole exploration, with references and repeated runs, takes about this time.
    Whole(Duration),
}

/// The time that the last runs take to end, and to be repeated.
const END: Duration = Duration::from_secs(10);

impl Budget {
    /// Returns the time within which new runs begin, after references that took `references`.
    pub(super) fn of_new_runs(self, references: Duration) -> Duration {
        match self {
            Budget::NewRuns(time) => time,
            // Some operators take long even without a fault: a part of the time is left for faults.
            Budget::Whole(time) => time.saturating_sub(references + END).max(time / 3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_exploration_has_time_for_faults() {
        let seconds = Duration::from_secs;
        for (budget, references, expected) in [
            (Budget::NewRuns(seconds(20)), 12, 20),
            (Budget::Whole(seconds(99)), 12, 77),
            (Budget::Whole(seconds(99)), 80, 33),
        ] {
            assert_eq!(budget.of_new_runs(seconds(references)), seconds(expected), "{budget:?} {references}");
        }
    }
}
