//! Summarizes the actions of the operator in the runs without a fault. If an operator fails at its start, the
//! objects are the same in every run, so that an exploration says nothing about the operator's bugs.

use super::log;
use super::reference::denied_requests;
use super::steps::Outcome;
use crate::explore::plan::fault_plan::{Class, Plan};
use crate::explore::record::journal::{Entry, Request};
use crate::report::clipped;
use crate::{Error, Result};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of characters of a condition's message in the sentence about a sample that never became ready.
const WIDTH: usize = 400;
/// The maximum number of requests that the sentence about denied requests lists.
const NAMED: usize = 3;

/// The parts of an operator that an exploration exercised.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Exercised {
    /// The kinds of objects, as resources, that the operator creates in a run without a fault.
    pub kinds: Vec<String>,
    /// The number of the operator's writes that changed something in a run without a fault.
    pub writes: usize,
    /// The fields of the samples that have an effect: after a change of the field, the operator wrote an object.
    pub fields: Vec<String>,
    /// The fields of the samples that have no effect: after a change of the field, the operator wrote nothing.
    pub fields_without_effect: Vec<String>,
    /// The numbers of planned and of tried fault injection points, for each class of faults.
    pub classes: Vec<Points>,
}

/// The numbers of planned and tried points for one class of faults. At each point, a run can inject a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Points {
    /// The name of the class; `pairs` for pairs of faults.
    pub class: &'static str,
    /// The number of points at which a fault was tried.
    pub tried: usize,
    /// The number of points at which a fault was planned.
    pub planned: usize,
}

impl Exercised {
    /// Summarizes the writes of a run without a fault.
    pub fn from_journal(journal: &[Entry]) -> Exercised {
        let writes = || journal.iter().filter_map(Entry::request).filter(|request| is_work(request));
        let made = writes().filter(|request| request.status == 201);
        let kinds: BTreeSet<&str> = made.filter_map(|request| request.parts().1.split('/').next()).collect();
        let kinds = kinds.into_iter().map(str::to_owned).collect();
        Exercised { kinds, writes: writes().count(), ..Exercised::default() }
    }

    /// Counts the planned and the tried fault injection points of each class.
    pub fn count(&mut self, plans: &[Plan], tried: &BTreeSet<Plan>) {
        let mut classes: BTreeMap<Class, (usize, usize)> = BTreeMap::new();
        let (pairs, single): (Vec<&Plan>, Vec<&Plan>) = plans.iter().partition(|plan| plan.then.is_some());
        for plan in single {
            let (done, all) = classes.entry(plan.class).or_default();
            (*done, *all) = (*done + usize::from(tried.contains(plan)), *all + 1);
        }
        let points = |(class, (tried, planned)): (Class, _)| Points { class: class.name(), tried, planned };
        self.classes = classes.into_iter().map(points).collect();
        if !pairs.is_empty() {
            let tried_pairs = pairs.iter().filter(|pair| tried.contains(**pair)).count();
            self.classes.push(Points { class: "pairs", tried: tried_pairs, planned: pairs.len() });
        }
    }

    /// Records whether the field that `plan` changes led to a write in the run.
    pub fn add_field(&mut self, plan: &Plan, outcome: &Outcome) {
        let Some((_, field)) = plan.field() else { return };
        let changes = outcome.journal.iter().filter(|entry| entry.step == plan.step).filter_map(Entry::request);
        let is_answer = |request: &Request| {
            !request.changes.is_empty() && request.changes.iter().all(|change| is_generation(change))
        };
        let has_effect = changes.into_iter().any(|request| is_work(request) && !is_answer(request));
        if has_effect {
            self.fields_without_effect.retain(|other| *other != field.path);
        }
        let known = self.fields.contains(&field.path) || self.fields_without_effect.contains(&field.path);
        if !self.fields.contains(&field.path) && (has_effect || !known) {
            let list = if has_effect { &mut self.fields } else { &mut self.fields_without_effect };
            list.push(field.path);
            list.sort();
        }
    }

    /// Returns the lines of the summary about the exercised parts of the operator.
    pub fn lines(&self) -> Vec<String> {
        let kinds = if self.kinds.is_empty() { "no objects".to_owned() } else { self.kinds.join(", ") };
        let writes = counted(self.writes, "write");
        let mut lines = vec![format!("exercised without a fault: {writes}; the operator makes {kinds}")];
        let all = self.fields.len() + self.fields_without_effect.len();
        if all > 0 {
            let without = match self.fields_without_effect.as_slice() {
                [] => String::new(),
                fields => format!("; without effect: {}", fields.join(", ")),
            };
            lines.push(format!("fields with an effect: {} of {all}{without}", self.fields.len()));
        }
        let (tried, left): (Vec<&Points>, Vec<&Points>) = self.classes.iter().partition(|class| class.tried > 0);
        let points = |class: &Points| format!("{} {} of {}", class.class, class.tried, class.planned);
        if !tried.is_empty() {
            lines.push(format!("points: {}", tried.into_iter().map(points).collect::<Vec<_>>().join(", ")));
        }
        if !left.is_empty() {
            let names: Vec<_> = left.iter().map(|class| format!("{} ({})", class.class, class.planned)).collect();
            lines.push(format!("classes that were left out: {}", names.join(", ")));
        }
        lines
    }
}

/// Returns a number with its noun, such as `1 error` or `2 errors`.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn is_generation(change: &str) -> bool {
    change.split(':').next().is_some_and(|path| path.ends_with("observedGeneration"))
}

/// Returns true if the write changed more than finalizers, which an operator sets before it begins to work.
pub fn is_work(request: &Request) -> bool {
    let is_finalizer = |change: &String| change.trim_start_matches("without ").starts_with("metadata.finalizers");
    let only_finalizers = !request.changes.is_empty() && request.changes.iter().all(is_finalizer);
    request.effective && !only_finalizers
}

/// Fails if, in a run without a fault, the operator did nothing that a fault could disturb.
pub fn check(outcome: &Outcome) -> Result<()> {
    match nothing(outcome) {
        None => Ok(()),
        Some(reason) => {
            let error = Error::user(format!("nothing was explored: {reason}"));
            Err(log::last_lines(&outcome.log).into_iter().fold(error, Error::caused_by))
        }
    }
}

/// Returns the reason why a run without a fault cannot serve as a reference, such as an operator that writes
/// nothing; `None` if the run can serve as a reference.
pub fn nothing(outcome: &Outcome) -> Option<String> {
    let requests = || outcome.journal.iter().filter(|entry| !entry.step.deletes()).filter_map(Entry::request);
    let work: Vec<&Request> = requests().filter(|request| is_work(request)).collect();
    let is_status = |request: &&Request| request.parts().1.split('/').count() > 2;
    if !work.iter().all(is_status) {
        return None;
    }
    // An operator may rightly write nothing but the status of its objects.
    if let (false, Some(unready)) = (work.is_empty(), unready_sample_sentence(outcome)) {
        return Some(unready);
    }
    if !work.is_empty() {
        return None;
    }
    let refused = requests().rfind(|request| request.is_invalid());
    Some(match (may_not(outcome), refused) {
        (Some(denied), _) => denied,
        (None, Some(request)) => {
            let (verb, object) = request.parts();
            format!(
                "the operator writes nothing: the API server refuses to {verb} {object} with status {}",
                request.status
            )
        }
        (None, None) => "the operator writes nothing for the samples".to_owned(),
    })
}

/// Returns a sentence about the first sample that never became ready, if any.
pub fn unready_sample_sentence(outcome: &Outcome) -> Option<String> {
    let (object, reason) = outcome.unready.first_key_value()?;
    Some(format!("`{object}` never became Ready: {}", clipped(reason, WIDTH)))
}

/// Returns a sentence about the denied requests, if any.
pub fn may_not(outcome: &Outcome) -> Option<String> {
    let requests: BTreeSet<String> =
        denied_requests(&outcome.journal).into_iter().map(|(request, _)| request).collect();
    let all: Vec<String> =
        requests.iter().chain(&outcome.denied).map(|request| format!("`{}`", request.replacen(':', " ", 1))).collect();
    let more = if all.len() > NAMED { format!(" and {} more", all.len() - NAMED) } else { String::new() };
    (!all.is_empty())
        .then(|| format!("the operator is not allowed to {}{more}", all[..all.len().min(NAMED)].join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::plan::fault_plan::Step;
    use crate::explore::record::journal::Event;
    use std::time::Duration;

    fn request(request: &str, status: u16, changes: &[&str]) -> Entry {
        let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
        let effective = status < 300 && !["list", "get"].contains(&request.split(':').next().unwrap());
        let request = Request { request: request.to_owned(), status, changes, effective, ..Request::default() };
        Entry { at: Duration::ZERO, step: Step::Change, event: Event::Request(request) }
    }

    fn outcome(journal: &[Entry], unready: Option<&str>) -> Outcome {
        let log = ["Compiling", "no such class", "no such class"];
        Outcome {
            journal: journal.to_vec(),
            unready: unready.map(|reason| ("webs.e.com/w".to_owned(), reason.to_owned())).into_iter().collect(),
            log: log.map(|line| (Duration::ZERO, line.to_owned())).to_vec(),
            ..Outcome::default()
        }
    }

    #[test]
    fn explorations_of_an_operator_that_does_no_work_fail() {
        let finalizer = request("patch:webs.e.com/w#1", 200, &["metadata.finalizers[e.com/w]: \"e.com/w\""]);
        let status = request("patch:webs.e.com/w/status#1", 200, &["status.phase: \"Ready\""]);
        let child = request("create:services/w#1", 201, &[]);
        let list = |status| request("list:webs.e.com#1", status, &[]);
        for (journal, unready, expected) in [
            (vec![], None, Some("the operator writes nothing for the samples")),
            (vec![list(200), finalizer.clone()], None, Some("the operator writes nothing for the samples")),
            (vec![list(403)], None, Some("the operator is not allowed to `list webs.e.com`")),
            (
                vec![request("create:services/w#1", 422, &[])],
                None,
                Some("the operator writes nothing: the API server refuses to create services/w with status 422"),
            ),
            (vec![status.clone()], None, None),
            (vec![status.clone()], Some("NoClass: gold"), Some("`webs.e.com/w` never became Ready: NoClass: gold")),
            (vec![status, child.clone()], Some("NoClass: gold"), None),
            (vec![list(403), child], None, None),
        ] {
            let outcome = outcome(&journal, unready);
            assert_eq!(nothing(&outcome).as_deref(), expected, "{journal:?}");
            assert_eq!(check(&outcome).is_ok(), expected.is_none());
        }
        let error = check(&outcome(&[], None)).unwrap_err();
        assert_eq!(error.message(), "nothing was explored: the operator writes nothing for the samples");
        assert_eq!(error.causes(), ["operator: Compiling", "operator: no such class"]);
    }

    #[test]
    fn the_summary_says_what_was_exercised() {
        let journal = [
            request("patch:webs.e.com/w#1", 200, &["metadata.finalizers[e.com/w]: \"e.com/w\""]),
            request("create:services/w#1", 201, &[]),
            request("patch:configmaps/w#1", 201, &[]),
            request("patch:services/w#1", 200, &["spec.x: 1"]),
        ];
        let mut exercised = Exercised::from_journal(&journal);
        let field = |text: &str, changes: &[&str], exercised: &mut Exercised| {
            let plan: Plan = format!("field:webs.e.com/w/{text}@change").parse().unwrap();
            exercised.add_field(&plan, &outcome(&[request("patch:webs.e.com/w/status#1", 200, changes)], None));
        };
        field("spec.port=1", &["status.observedGeneration: \"{generation}\""], &mut exercised);
        field("spec.port=2", &["status.port: 2"], &mut exercised);
        field("spec.port=3", &["status.observedGeneration: \"{generation}\""], &mut exercised);
        field("spec.color=\"red\"", &["status.observedGeneration: \"{generation}\""], &mut exercised);
        let plans = ["restart@create", "crash:patch:a/b#1@create", "crash:patch:a/c#1@create", "lag:a@create"];
        let plans: Vec<Plan> = plans.map(|plan| plan.parse().unwrap()).to_vec();
        exercised.count(&plans, &plans[..2].iter().cloned().collect());
        assert_eq!(
            exercised.lines(),
            [
                "exercised without a fault: 3 writes; the operator makes configmaps, services",
                "fields with an effect: 1 of 2; without effect: spec.color",
                "points: crash 1 of 2, restart 1 of 1",
                "classes that were left out: lag (1)",
            ]
        );
        assert_eq!((counted(1, "error"), counted(0, "error")), ("1 error".to_owned(), "0 errors".to_owned()));
    }
}
