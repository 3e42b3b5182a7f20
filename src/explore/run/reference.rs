//! The runs without a fault that all other runs are compared with.

use crate::explore::plan::fault_plan::Step;
use crate::explore::record::journal::{Entry, Request};
use crate::explore::record::random_names::Names;
use crate::explore::record::state::{Difference, Masks, State};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A recorded run. The first part lists the steps, each with the objects after the step and the duration of the step.
/// The second part is the journal of the run.
pub type Recorded = (Vec<(Step, State, Duration)>, Vec<Entry>);

/// The results of two runs without a fault, which all other runs are compared with.
#[derive(Debug, Default)]
pub struct Reference {
    /// The objects after each step, from the first run.
    pub states: BTreeMap<Step, State>,
    pub masks: Masks,
    /// True if the operator holds a lease.
    pub elects: bool,
    pub names: Names,
    /// The journals of both undisturbed runs. Objects have the names that plans use, such as `*` for a random name.
    pub journals: Vec<Vec<Entry>>,
    /// The journal of the first undisturbed run, with the object names that occurred in that run.
    pub recorded: Vec<Entry>,
    times: BTreeMap<Step, Duration>,
}

impl Reference {
    /// Creates a reference from two undisturbed runs.
    pub fn of(runs: [Recorded; 2]) -> Reference {
        let mut reference = Reference::default();
        let [(one, first), (other, second)] = runs;
        for ((step, state, took), (_, second, second_took)) in one.into_iter().zip(other) {
            state.learn(&second, &mut reference.masks);
            reference.states.insert(step, state);
            reference.times.insert(step, took.max(second_took));
        }
        reference.names = Names::of(&first, &second);
        reference.recorded = reference.names.mark_names(first.clone());
        reference.journals = [first, second].into_iter().map(|journal| reference.names.rename(journal)).collect();
        reference
    }

    /// Returns the resources whose objects the operator read or wrote.
    pub fn resources(&self) -> BTreeSet<String> {
        self.states.values().flat_map(State::resources).cloned().collect()
    }

    /// Returns the time limit for a run to come to rest in a step: four times the duration of the step in the slower
    /// undisturbed run.
    pub fn usual(&self, step: Step) -> Duration {
        4 * self.times.get(&step).copied().unwrap_or_default()
    }

    /// Returns the differences of `state` from the objects of the reference after `step`.
    pub fn differences(&self, step: Step, state: &State) -> Vec<Difference> {
        self.states.get(&step).map(|reference| reference.differences(state, &self.masks)).unwrap_or_default()
    }

    /// Returns the differences between two states, without names and fields that differ even between undisturbed runs.
    pub fn unexpected_differences(&self, expected: &State, found: &State) -> Vec<Difference> {
        expected.differences(found, &self.masks)
    }

    /// Returns the requests that the API server denied because of a missing right, as `verb:object`.
    pub fn denied_requests(&self) -> BTreeSet<String> {
        self.journals.iter().flat_map(|journal| denied_requests(journal)).map(|(request, _)| request).collect()
    }

    /// Returns the verbs and objects of the writes that the API server refused as invalid in at least one of the two
    /// reference runs.
    pub fn invalid_writes(&self) -> BTreeSet<(&str, &str)> {
        self.journals.iter().flat_map(|journal| invalid_writes(journal)).collect()
    }

    /// Returns true if the operator watches a resource.
    pub fn watches(&self, resource: &str) -> bool {
        let requests = self.journals.iter().flatten().filter_map(Entry::request);
        requests.map(Request::parts).any(|parts| parts == ("watch", resource))
    }

    /// Returns true if a status of the operator claims too early that an object works: in a run without a fault, the
    /// operator wrote this claim while objects of the type `resource`, such as the object's children, were still
    /// unhealthy. The claim then only means that the objects of `resource` exist, not that they work.
    pub fn claims_early(&self, resource: &str) -> bool {
        let entries = self.journals.iter().flatten().filter(|entry| entry.step == Step::Create);
        entries.filter_map(Entry::request).any(|request| request.left.claims_early.contains(resource))
    }

    /// Returns the number of objects of a resource that the operator created in a step: the larger number of the two
    /// reference runs.
    pub fn created_count(&self, resource: &str, step: Step) -> usize {
        let made = |journal: &Vec<Entry>| {
            let requests = journal.iter().filter(|entry| entry.step == step).filter_map(Entry::request);
            requests.filter(|request| request.makes(resource)).count()
        };
        self.journals.iter().map(made).max().unwrap_or_default()
    }

    /// Returns the number of times that the operator deleted `object` in `steps`: the larger number of the two
    /// reference runs.
    pub fn deletions(&self, object: &str, steps: &BTreeSet<Step>) -> usize {
        self.journals
            .iter()
            .map(|journal| deletions(journal, steps).get(object).copied().unwrap_or_default())
            .max()
            .unwrap_or_default()
    }
}

/// Returns the requests that the API server denied because of a missing right, as `verb:object`, each with its index in the journal.
pub fn denied_requests(journal: &[Entry]) -> Vec<(String, usize)> {
    let requests = journal.iter().enumerate().filter_map(|(index, entry)| Some((index, entry.request()?)));
    let denied = requests.filter(|(_, request)| request.is_denied());
    denied.map(|(index, request)| (request.parts().0.to_owned() + ":" + request.parts().1, index)).collect()
}

/// Returns the verbs and objects of the writes that the API server refused as invalid.
pub fn invalid_writes(journal: &[Entry]) -> BTreeSet<(&str, &str)> {
    journal.iter().filter_map(Entry::request).filter(|request| request.is_invalid()).map(Request::parts).collect()
}

/// Returns the verbs and objects of creations that the API server refused because another object already has a
/// value that must be unique.
pub fn conflicting_creations(journal: &[Entry]) -> BTreeSet<(&str, &str)> {
    journal.iter().filter_map(Entry::request).filter(|request| request.is_taken()).map(Request::parts).collect()
}

/// Returns the writes that the API server refused as invalid. Leaves out a write if the operator later wrote the same
/// object successfully: for example, an operator may create the object again because a field is immutable.
pub fn left_invalid<'a>(journal: impl IntoIterator<Item = &'a Entry>) -> Vec<&'a Request> {
    let mut invalid: Vec<&Request> = Vec::new();
    for request in journal.into_iter().filter_map(Entry::request) {
        let (verb, object) = request.parts();
        if request.is_invalid() {
            invalid.push(request);
        } else if request.effective && verb != "delete" {
            invalid.retain(|earlier| earlier.parts().1 != object);
        }
    }
    invalid
}

/// Returns the number of times that the operator deleted each object in `steps`. A deletion of an object that is
/// already being deleted does not count.
pub fn deletions(journal: &[Entry], steps: &BTreeSet<Step>) -> BTreeMap<String, usize> {
    let (mut counts, mut known) = (BTreeMap::new(), BTreeSet::new());
    let entries = journal.iter().filter(|entry| steps.contains(&entry.step));
    for request in entries.filter_map(Entry::request).filter(|request| request.effective) {
        let (verb, object) = request.parts();
        let uid = &request.left.uid;
        if verb == "delete" && (uid.is_empty() || known.insert(uid)) {
            *counts.entry(object.to_owned()).or_default() += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::record::journal::Event;

    fn journal(requests: &[(&str, u16)]) -> Vec<Entry> {
        let entry = |(request, status): &(&str, u16)| {
            let request = Request {
                request: (*request).to_owned(),
                status: *status,
                effective: *status < 300,
                ..Request::default()
            };
            Entry { at: Duration::ZERO, step: Step::Change, event: Event::Request(request) }
        };
        requests.iter().map(entry).collect()
    }

    #[test]
    fn a_lock_that_fails_takes_nothing_away() {
        let refused = |request: &str, message: &str| {
            let mut entry = journal(&[(request, 422)]).remove(0);
            if let Event::Request(request) = &mut entry.event {
                request.left = crate::explore::record::journal::WrittenObject::of(
                    &serde_json::json!({"kind": "Status", "message": message}),
                );
            }
            entry
        };
        let lock = "the server rejected our request due to an error in our request";
        let port = "Service \"web\" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated";
        let other = "Service \"web\" is invalid: spec.ports: Required value";
        for (request, message, is_taken, is_invalid) in [
            ("patch:webs.e.com/w#1", lock, 0, 0),
            ("create:services/web#1", port, 1, 1),
            ("update:services/web#1", port, 0, 1),
            ("create:services/web#1", other, 0, 1),
        ] {
            let journal = [refused(request, message)];
            assert_eq!(
                (conflicting_creations(&journal).len(), invalid_writes(&journal).len()),
                (is_taken, is_invalid),
                "{request} {message}"
            );
        }
    }

    #[test]
    fn an_object_is_deleted_once() {
        let deleted = |uid: &str| {
            let mut entry = journal(&[("delete:persistentvolumeclaims/a#1", 200)]).remove(0);
            if let Event::Request(request) = &mut entry.event {
                let details = serde_json::json!({"kind": "Status", "details": {"uid": uid}});
                request.left = crate::explore::record::journal::WrittenObject::of(&details);
            }
            entry
        };
        for (journal, count) in [(vec![deleted("1"), deleted("1")], 1), (vec![deleted("1"), deleted("2")], 2)] {
            let counts = deletions(&journal, &BTreeSet::from([Step::Change]));
            assert_eq!(counts["persistentvolumeclaims/a"], count);
        }
    }

    #[test]
    fn a_refused_write_is_made_good_by_one_that_the_server_takes() {
        let refused = ("patch:jobs.batch/say#1", 422);
        for (after, left) in [
            (vec![], 1),
            (vec![("delete:jobs.batch/say#1", 200)], 1),
            (vec![("delete:jobs.batch/say#1", 200), ("patch:jobs.batch/say#2", 201)], 0),
            (vec![("patch:jobs.batch/other#1", 201)], 1),
            (vec![("patch:jobs.batch/say#2", 201), ("patch:jobs.batch/say#3", 422)], 1),
        ] {
            assert_eq!(left_invalid(&journal(&[&[refused], &after[..]].concat())).len(), left, "{after:?}");
        }
    }
}
