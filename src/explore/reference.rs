//! The undisturbed runs that all others are compared with.

use super::journal::Entry;
use super::names::Names;
use super::plan::Step;
use super::state::{Difference, Masks, State};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The objects after each step and how long it took, and the journal.
pub(super) type Recorded = (Vec<(Step, State, Duration)>, Vec<Entry>);

/// The parts that two equal runs share.
#[derive(Debug, Default)]
pub(super) struct Reference {
    /// The objects after each step.
    pub(super) states: BTreeMap<Step, State>,
    pub(super) masks: Masks,
    /// True if the operator holds a lease.
    pub(super) elects: bool,
    pub(super) names: Names,
    /// The journals of both runs, with the names that plans use.
    pub(super) journals: Vec<Vec<Entry>>,
    times: BTreeMap<Step, Duration>,
}

impl Reference {
    /// Compares two undisturbed runs, each with its states, how long each took, and its journal.
    pub(super) fn of(runs: [Recorded; 2]) -> Reference {
        let mut reference = Reference::default();
        let [(one, first), (other, second)] = runs;
        for ((step, state, took), (_, second, second_took)) in one.into_iter().zip(other) {
            state.learn(&second, &mut reference.masks);
            reference.states.insert(step, state);
            reference.times.insert(step, took.max(second_took));
        }
        reference.names = Names::of(&first, &second);
        reference.journals = [first, second].into_iter().map(|journal| reference.names.rename(journal)).collect();
        reference
    }

    /// How long a run may take at most to rest in a step: four times as long as the references, which waited until they were sure.
    pub(super) fn usual(&self, step: Step) -> Duration {
        4 * self.times.get(&step).copied().unwrap_or_default()
    }

    /// Compares `state` with the one of this step.
    pub(super) fn differences(&self, step: Step, state: &State) -> Vec<Difference> {
        self.states.get(&step).map(|reference| reference.differences(state, &self.masks)).unwrap_or_default()
    }

    /// Compares two states, without the fields that the masks hide.
    pub(super) fn between(&self, expected: &State, found: &State) -> Vec<Difference> {
        expected.differences(found, &self.masks)
    }

    /// The requests that were refused for want of a right, as `verb:object`.
    pub(super) fn denied(&self) -> BTreeSet<String> {
        self.journals.iter().flat_map(|journal| denied(journal)).map(|(request, _)| request).collect()
    }

    /// How often the operator deleted an object in these steps, at most.
    pub(super) fn deletions(&self, object: &str, steps: &BTreeSet<Step>) -> usize {
        self.journals
            .iter()
            .map(|journal| deletions(journal, steps).get(object).copied().unwrap_or_default())
            .max()
            .unwrap_or_default()
    }
}

/// Requests that were answered with 403, without their numbers, and where they are in the journal.
pub(super) fn denied(journal: &[Entry]) -> Vec<(String, usize)> {
    let requests = journal.iter().enumerate().filter_map(|(index, entry)| Some((index, entry.request()?)));
    let denied = requests.filter(|(_, request)| request.status == 403);
    denied.map(|(index, request)| (request.parts().0.to_owned() + ":" + request.parts().1, index)).collect()
}

/// How often the operator deleted each object in these steps.
pub(super) fn deletions(journal: &[Entry], steps: &BTreeSet<Step>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let entries = journal.iter().filter(|entry| steps.contains(&entry.step));
    for request in entries.filter_map(Entry::request).filter(|request| request.effective) {
        let (verb, object) = request.parts();
        if verb == "delete" {
            *counts.entry(object.to_owned()).or_default() += 1;
        }
    }
    counts
}
