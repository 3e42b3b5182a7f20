//! The options of an exploration.

use std::path::PathBuf;
use std::time::Duration;

/// The scope of an exploration, and its limits.
#[derive(Clone, Debug)]
pub struct Options {
    /// The time limit for starting new runs; `None` to try all points at which a fault can be injected.
    pub budget: Option<Budget>,
    /// The texts that select fault plans: a plan is tried if the name of the plan contains at least one of the texts.
    /// If the list is empty, all plans are tried.
    pub only: Vec<String>,
    /// The maximum number of faults in a run: with 2, pairs of faults are tried as well.
    pub depth: u8,
    /// The maximum number of concurrent runs. With 1, two processes of the operator never run at the same time.
    pub jobs: usize,
    /// The time limit for the operator to bring the objects into the same state as in the reference run without a
    /// fault.
    pub patience: Duration,
    /// The folder for the kubeconfigs of the runs.
    pub folder: PathBuf,
}

/// The time limit for starting new runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// The time in which new runs may start, counted from the end of the reference runs.
    NewRuns(Duration),
    /// The approximate time of the whole exploration, including the reference runs and the repeated runs.
    Whole(Duration),
}

/// The time that is reserved for the end of the last runs and for repeated runs.
const END: Duration = Duration::from_secs(10);

impl Budget {
    /// Returns the time in which new runs may start after the reference runs. `references` is the time that the
    /// reference runs took.
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
