//! The runs without a fault: the reference of all others, and what they show by themselves.

use super::complaints::complaints;
use super::exercise::{self, Exercised};
use super::explorer::Explorer;
use super::oracles::judge_undisturbed;
use super::readiness::{EARLY, LATE};
use super::reference::{Reference, taken};
use super::report::{Finding, Repeats};
use super::run::{self, Outcome, undisturbed};
use super::suspicion::Oracle;
use crate::Result;
use std::collections::BTreeSet;
use std::time::Duration;

/// The results of two runs without a fault: the reference, and the findings and logged errors that both runs show.
pub(super) struct Undisturbed {
    pub(super) reference: Reference,
    pub(super) findings: Vec<Finding>,
    /// The finding that samples were not ready in time. It is certain only if the runs waited for [`LATE`].
    pub(super) not_ready: Option<Finding>,
    pub(super) complaints: Vec<String>,
    pub(super) exercised: Exercised,
}

impl Explorer<'_> {
    /// Returns the time that references wait for samples to become ready. The time is short if runs may be concurrent,
    /// because another run then waits longer beside the first runs with a fault.
    pub(super) fn ready_within(&self) -> Duration {
        if self.options.jobs > 1 { EARLY } else { LATE }
    }

    /// Records two undisturbed runs. Gives more time to an operator that writes only a status that is not ready,
    /// because nothing can be explored with such runs.
    pub(super) async fn references(&self, ready_within: Duration) -> Result<Undisturbed> {
        let _spinner = self.console.spinner("Recording", "two runs without a fault");
        let [mut first, mut second] = self.record(ready_within).await?;
        let is_nothing = |outcome: &Outcome| exercise::check(outcome).is_err() && !outcome.unready.is_empty();
        if ready_within < LATE && (is_nothing(&first) || is_nothing(&second)) {
            [first, second] = self.record(LATE).await?;
        }
        for outcome in [&first, &second] {
            exercise::check(outcome).map_err(|error| error.hint(self.world.launch.by_hand.clone()))?;
        }
        Ok(self.compared([first, second]))
    }

    async fn record(&self, ready_within: Duration) -> Result<[Outcome; 2]> {
        let (one, other, folder) = (self.namespace(), self.namespace(), &self.options.folder);
        let first = undisturbed(&self.world, &one, folder, ready_within);
        if self.options.jobs == 1 {
            let first = first.await?;
            // What never was ready in the first run is not waited for again.
            let limit = if first.unready.is_empty() { ready_within } else { Duration::ZERO };
            let second = undisturbed(&self.world, &other, folder, limit).await?;
            return Ok([first, second]);
        }
        let second = undisturbed(&self.world, &other, folder, ready_within);
        tokio::try_join!(first, second).map(<[Outcome; 2]>::from)
    }

    fn compared(&self, [first, second]: [Outcome; 2]) -> Undisturbed {
        let exercised = Exercised::by(&first.journal);
        let suspicions = |outcome: &Outcome| judge_undisturbed(outcome, &self.samples);
        let others: BTreeSet<_> = suspicions(&second).into_iter().map(|found| (found.oracle, found.key)).collect();
        let rests =
            |outcome: &Outcome| outcome.rests.iter().map(|rest| (rest.step, rest.state.clone(), rest.took)).collect();
        let recorded = [(rests(&first), first.journal.clone()), (rests(&second), second.journal.clone())];
        let mut reference = Reference::of(recorded);
        reference.elects = first.elects && second.elects;
        self.warn_of_collisions(&reference);
        let twice = Repeats { shown: 2, of: 2, placebo: 0, placebos: 0 };
        let shared = suspicions(&first).into_iter().filter(|found| others.contains(&(found.oracle, found.key.clone())));
        let findings = shared.map(|found| self.finding(None, &found, &first, &reference, twice));
        let (not_ready, findings): (Vec<_>, Vec<_>) = findings.partition(|found| found.oracle == Oracle::NotReady);
        let complaints = complaints(&first.log, &second.log);
        Undisturbed { reference, findings, not_ready: not_ready.into_iter().next(), complaints, exercised }
    }

    /// Returns true if the samples become ready within [`LATE`], in another run without a fault.
    pub(super) async fn becomes_ready(&self) -> Result<bool> {
        run::becomes_ready(&self.world, &self.namespace(), &self.options.folder).await
    }

    /// Warns if two concurrent runs interfere with each other.
    fn warn_of_collisions(&self, reference: &Reference) {
        let [first, second] = &reference.journals[..] else { return };
        let (first, second) = (taken(first), taken(second));
        if let Some((verb, object)) = first.symmetric_difference(&second).next()
            && self.options.jobs > 1
        {
            self.console.warning(format_args!(
                "the API server refuses to {verb} {object} in one of two runs at a time: they share something, such as a node \
                 port; `--jobs 1` explores one run at a time"
            ));
        }
    }
}
