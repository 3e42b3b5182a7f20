//! The runs without a fault: the reference for all other runs, and the findings that do not depend on a fault.

use super::explorer::Explorer;
use crate::Result;
use crate::explore::judge::oracles::judge_undisturbed;
use crate::explore::judge::suspicion::Oracle;
use crate::explore::report::text::{Finding, Repeats};
use crate::explore::run::complaints::complaints;
use crate::explore::run::exercise::{self, Exercised};
use crate::explore::run::readiness::{EARLY, LATE};
use crate::explore::run::reference::{Reference, conflicting_creations};
use crate::explore::run::steps::{self, Outcome, run_undisturbed};
use std::collections::BTreeSet;
use std::time::Duration;

/// The results of two runs without a fault: the reference, and the findings and logged errors that both runs show.
pub struct Undisturbed {
    pub reference: Reference,
    pub findings: Vec<Finding>,
    /// The finding that samples were not ready in time. The finding is certain only if the time limit of the runs for
    /// samples to become ready was [`LATE`], the longer of two time limits.
    pub not_ready: Option<Finding>,
    pub complaints: Vec<String>,
    pub exercised: Exercised,
}

impl Explorer<'_> {
    /// Returns the time limit of a reference run for samples to become ready. The limit is short if several runs may be
    /// concurrent: if samples need longer, a further run without a fault waits for them, at the same time as the first
    /// runs with a fault.
    pub fn ready_within(&self) -> Duration {
        if self.options.jobs > 1 { EARLY } else { LATE }
    }

    /// Records two undisturbed runs. Records both runs again with more time if, in one of the runs, samples are not
    /// ready and the operator wrote only statuses: such a run contains nothing that a fault could disturb.
    pub async fn references(&self, ready_within: Duration) -> Result<Undisturbed> {
        let _spinner = self.console.spinner("Recording", "two runs without a fault");
        let [mut first, mut second] = self.record(ready_within).await?;
        let is_nothing = |outcome: &Outcome| exercise::check(outcome).is_err() && !outcome.unready.is_empty();
        if ready_within < LATE && (is_nothing(&first) || is_nothing(&second)) {
            [first, second] = self.record(LATE).await?;
        }
        for outcome in [&first, &second] {
            exercise::check(outcome).map_err(|error| error.hint(self.world.launch.by_hand.clone()))?;
        }
        Ok(self.compare_runs([first, second]))
    }

    async fn record(&self, ready_within: Duration) -> Result<[Outcome; 2]> {
        let (one, other, folder) = (self.namespace(), self.namespace(), &self.options.folder);
        let first = run_undisturbed(&self.world, &one, folder, ready_within);
        if self.options.jobs == 1 {
            let first = first.await?;
            // What never was ready in the first run is not waited for again.
            let limit = if first.unready.is_empty() { ready_within } else { Duration::ZERO };
            let second = run_undisturbed(&self.world, &other, folder, limit).await?;
            return Ok([first, second]);
        }
        let second = run_undisturbed(&self.world, &other, folder, ready_within);
        tokio::try_join!(first, second).map(<[Outcome; 2]>::from)
    }

    fn compare_runs(&self, [first, second]: [Outcome; 2]) -> Undisturbed {
        let exercised = Exercised::from_journal(&first.journal);
        let suspicions = |outcome: &Outcome| judge_undisturbed(outcome, &self.samples);
        let others: BTreeSet<_> = suspicions(&second).into_iter().map(|found| (found.oracle, found.key)).collect();
        let rests =
            |outcome: &Outcome| outcome.rests.iter().map(|rest| (rest.step, rest.state.clone(), rest.took)).collect();
        let recorded = [(rests(&first), first.journal.clone()), (rests(&second), second.journal.clone())];
        let mut reference = Reference::of(recorded);
        reference.elects = first.elects && second.elects;
        self.warn_of_collisions(&reference);
        self.warn_of_shared_objects(&first.shared);
        let twice = Repeats { shown: 2, of: 2, placebo: 0, placebos: 0 };
        let shared = suspicions(&first).into_iter().filter(|found| others.contains(&(found.oracle, found.key.clone())));
        let findings = shared.map(|found| self.finding(None, &found, &first, &reference, twice));
        let (not_ready, findings): (Vec<_>, Vec<_>) = findings.partition(|found| found.oracle == Oracle::NotReady);
        let complaints = complaints(&first.log, &second.log);
        Undisturbed { reference, findings, not_ready: not_ready.into_iter().next(), complaints, exercised }
    }

    /// Returns true if the samples become ready in another run without a fault, within the time limit [`LATE`].
    pub async fn becomes_ready(&self) -> Result<bool> {
        steps::becomes_ready(&self.world, &self.namespace(), &self.options.folder).await
    }

    /// Warns if the operator writes objects outside of the namespaces of the runs, under the same names in each run.
    fn warn_of_shared_objects(&self, shared: &BTreeSet<String>) {
        if let Some(object) = shared.first()
            && self.options.jobs > 1
        {
            self.console.warning(format_args!(
                "concurrent runs write the same object `{object}`: its name does not contain the name of the sample, \
                 which differs from run to run; `--jobs 1` explores one run at a time"
            ));
        }
    }

    /// Warns if two concurrent runs interfere with each other. A sign of interference is that the API server refuses a
    /// creation in only one of the two runs, because another object already has a value that must be unique.
    fn warn_of_collisions(&self, reference: &Reference) {
        let [first, second] = &reference.journals[..] else { return };
        let (first, second) = (conflicting_creations(first), conflicting_creations(second));
        if let Some((verb, object)) = first.symmetric_difference(&second).next()
            && self.options.jobs > 1
        {
            self.console.warning(format_args!(
                "the API server refuses to {verb} {object} in only one of two concurrent runs: the runs share \
                 something, such as a node port; `--jobs 1` explores one run at a time"
            ));
        }
    }
}
