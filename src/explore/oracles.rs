//! The oracles, which find suspicions in a run.

use super::honest;
use super::journal::{Entry, Event};
use super::lease;
use super::plan::{Class, Plan, Step};
use super::reference::{Reference, deletions, denied, left_invalid};
use super::rest::{Recovery, Rest};
use super::revival;
use super::run::Outcome;
use super::state::Difference;
use super::suspicion::{Oracle, Severity, Suspicion, suspicion};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// More writes of one object than this within [`RESTLESS_WITHIN`] mean that the operator does not rest.
const RESTLESS_WRITES: usize = 3;
const RESTLESS_WITHIN: Duration = Duration::from_secs(2);

/// Resources whose objects lose data when they are deleted.
const DEAR: [&str; 4] = ["persistentvolumeclaims", "secrets", "statefulsets.apps", "jobs.batch"];

/// Judges a run with a fault.
pub(super) fn judge(
    plan: &Plan,
    outcome: &Outcome,
    reference: &Reference,
    samples: &BTreeSet<String>,
) -> Vec<Suspicion> {
    let mut found: Vec<Suspicion> = outcome.rests.iter().filter_map(|rest| objects(rest, &outcome.journal)).collect();
    if plan.class == Class::DeleteUnseen {
        for suspicion in &mut found {
            "unseen".clone_into(&mut suspicion.key);
            // kube's `Controller` does not trigger a reconcile for such a deletion: an operator that relies on it waits
            // for the next resync.
            if suspicion.heals == Some(Recovery::NextEvent) {
                suspicion.severity = Severity::Warning;
            }
        }
    }
    if plan.class == Class::Field {
        for suspicion in found.iter_mut().filter(|suspicion| suspicion.oracle == Oracle::State) {
            // A Job for each value, for example, is there after the value was changed back.
            if suspicion.differences.iter().all(is_kept) {
                suspicion.severity = Severity::Warning;
            }
        }
    }
    found.extend(panics(outcome));
    let known = reference.denied();
    for (request, index) in denied(&outcome.journal).into_iter().filter(|(request, _)| !known.contains(request)) {
        let text = format!("the operator may not `{}`", request.replacen(':', " ", 1));
        found.push(suspicion(Oracle::Denied, Severity::Error, text, request, outcome.journal[index].step));
    }
    let steps: BTreeSet<Step> = outcome.rests.iter().map(|rest| rest.step).collect();
    for (object, count) in deletions(&outcome.journal, &steps) {
        if count > reference.deletions(&object, &steps) {
            let resource = object.split('/').next().unwrap_or_default();
            let dear = DEAR.contains(&resource) || samples.contains(resource);
            let severity = if dear { Severity::Error } else { Severity::Warning };
            found.push(suspicion(
                Oracle::Deletion,
                severity,
                format!("the operator deletes {object}"),
                object,
                plan.step,
            ));
        }
    }
    if outcome.foreign_lost {
        let request = plan.request().map(|(request, _)| request).unwrap_or_default();
        let object = request.split_once(':').map_or("", |(_, object)| object);
        let text = format!("an annotation that somebody else wrote into {object} is lost");
        found.push(suspicion(Oracle::ForeignField, Severity::Error, text, object.to_owned(), plan.step));
    }
    if let Some(happened) = &outcome.at_rest {
        let (meanwhile, after) = (&outcome.journal[happened.clone()], &outcome.journal[happened.start..]);
        found.extend(match plan.class {
            Class::Restart => restart_writes(plan, after),
            Class::Lease => lease::writes(meanwhile),
            _ => None,
        });
    }
    found.extend(changed_field(outcome, reference));
    let mut seen = BTreeSet::new();
    found.retain(|suspicion| seen.insert((suspicion.oracle, suspicion.key.clone())));
    found
}

/// Judges an undisturbed run: looks only for behaviour that no operator may show.
pub(super) fn judge_undisturbed(outcome: &Outcome, samples: &BTreeSet<String>) -> Vec<Suspicion> {
    let mut found: Vec<Suspicion> =
        outcome.rests.iter().filter(|rest| rest.restless).map(|rest| restless(rest, &outcome.journal)).collect();
    found.extend(panics(outcome));
    found.extend(honest::claims(&outcome.journal));
    found.extend(revival::revived(&outcome.journal, samples));
    for rest in outcome.rests.iter().filter(|rest| rest.step.deletes() && !rest.restless) {
        for object in
            samples.iter().flat_map(|resource| rest.state.names(resource).map(move |name| format!("{resource}/{name}")))
        {
            let text = format!("the deletion of {object} does not end");
            found.push(suspicion(Oracle::Leak, Severity::Error, text, object, rest.step));
        }
    }
    found
}

fn objects(rest: &Rest, journal: &[Entry]) -> Option<Suspicion> {
    let Some(first) = rest.differences.iter().min_by_key(|difference| (!difference.path.is_empty(), *difference))
    else {
        return rest.restless.then(|| restless(rest, journal));
    };
    let (oracle, text) = if rest.step.deletes() {
        (Oracle::Leak, format!("after the deletion, {first}"))
    } else {
        (Oracle::State, first.to_string())
    };
    let mut found = suspicion(oracle, Severity::Error, text, first.object.clone(), rest.step);
    found.heals = Some(rest.heals);
    found.differences.clone_from(&rest.differences);
    Some(found)
}

/// Returns the suspicion of an operator that does not rest; names the object that is written again and again, if there
/// is one.
fn restless(rest: &Rest, journal: &[Entry]) -> Suspicion {
    let end = journal.iter().rev().find(|entry| entry.step == rest.step).map(|entry| entry.at).unwrap_or_default();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in journal.iter().filter(|entry| entry.step == rest.step && entry.at + RESTLESS_WITHIN > end) {
        if let Some(request) = entry.request().filter(|request| request.moved) {
            *counts.entry(request.parts().1).or_default() += 1;
        }
    }
    let busiest = counts.into_iter().max_by_key(|(_, count)| *count).filter(|(_, count)| *count > RESTLESS_WRITES);
    match busiest {
        Some((object, count)) => {
            let text = format!("the operator writes {object} again and again: {count} times in 2 s");
            suspicion(Oracle::Restless, Severity::Error, text, object.to_owned(), rest.step)
        }
        None => {
            let text = "the operator does not come to rest".to_owned();
            suspicion(Oracle::Restless, Severity::Warning, text, String::new(), rest.step)
        }
    }
}

fn panics(outcome: &Outcome) -> Option<Suspicion> {
    let (_, line) = outcome.log.iter().find(|(_, line)| line.contains(" panicked at "))?;
    let place = line.split(" panicked at ").nth(1).unwrap_or_default().trim_end_matches(':').to_owned();
    let step = outcome.rests.last().map_or(Step::Create, |rest| rest.step);
    Some(suspicion(Oracle::Panic, Severity::Error, format!("the operator panics at {place}"), place, step))
}

/// Kinds with many immutable fields, whose operators keep old values on purpose.
const FIXED: [&str; 4] = ["jobs.batch", "persistentvolumeclaims", "statefulsets.apps", "pods"];

fn is_fixed(difference: &Difference) -> bool {
    FIXED.contains(&difference.object.split('/').next().unwrap_or_default())
}

/// Returns true if the difference is an additional object of one of the [`FIXED`] kinds.
fn is_kept(difference: &Difference) -> bool {
    is_fixed(difference) && difference.path.is_empty() && difference.expected.is_none()
}

/// Returns the suspicions after a changed field: children that depend on the time of the change, and requests that the
/// API server refuses.
fn changed_field(outcome: &Outcome, reference: &Reference) -> Vec<Suspicion> {
    let Some(changed) = &outcome.changed else { return Vec::new() };
    let mut found = Vec::new();
    let (requests, known) = (outcome.journal.iter().filter(|entry| entry.step == Step::Change), reference.invalid());
    let refused = left_invalid(requests).into_iter().find(|request| !known.contains(&request.parts()));
    // If the value is impossible for children, the differences mean nothing.
    if let Some(first) = changed.differences.first().filter(|_| !changed.impossible) {
        let text = format!("`{}` from the start and as a later change give different results: {first}", changed.text);
        let severity = if is_fixed(first) { Severity::Warning } else { Severity::Error };
        let mut differs = suspicion(Oracle::Differential, severity, text, first.object.clone(), Step::Change);
        differs.differences.clone_from(&changed.differences);
        found.push(differs);
    }
    if let Some(request) = refused {
        let (verb, object) = request.parts();
        let text = format!(
            "the definition accepts `{}`, and the API server refuses to {verb} {object} with {}",
            changed.text, request.status
        );
        found.push(suspicion(Oracle::Refused, Severity::Warning, text, object.to_owned(), Step::Change));
    }
    found
}

fn restart_writes(plan: &Plan, after: &[Entry]) -> Option<Suspicion> {
    let after = after.iter().take_while(|entry| entry.step == plan.step);
    let mut writes = after.filter(|entry| !matches!(entry.event, Event::User(_))).filter_map(Entry::request);
    let write = writes.find(|request| request.effective)?;
    let (verb, object) = write.parts();
    let changes = if write.changes.is_empty() { String::new() } else { format!(": {}", write.changes.join(", ")) };
    let text = format!("a restart at rest leads to a `{verb}` of {object}{changes}");
    // A changed pod template restarts the pods.
    let dear = write.changes.iter().any(|change| change.starts_with("spec.template"));
    let severity = if dear { Severity::Error } else { Severity::Warning };
    Some(suspicion(Oracle::RestartWrites, severity, text, object.to_owned(), plan.step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::field::Changed;
    use crate::explore::journal::Request;
    use crate::explore::state::State;

    fn request(seconds: u64, request: &str, status: u16, changes: &[&str]) -> Entry {
        let effective = (200..300).contains(&status) && !request.starts_with("list");
        let changes = changes.iter().map(|change| (*change).to_owned()).collect();
        let request =
            Request { request: request.to_owned(), status, changes, effective, moved: effective, ..Request::default() };
        Entry { at: Duration::from_secs(seconds), step: Step::Create, event: Event::Request(request) }
    }

    fn rest(differences: Vec<Difference>, restless: bool) -> Rest {
        let (step, state, heals, took) = (Step::Create, State::default(), Recovery::Restart, Duration::ZERO);
        Rest { step, state, heals, differences, restless, took }
    }

    fn outcome(journal: Vec<Entry>, rests: Vec<Rest>) -> Outcome {
        Outcome { reached: true, rests, journal, ..Outcome::default() }
    }

    fn texts(found: &[Suspicion]) -> Vec<(Oracle, Severity, &str)> {
        found.iter().map(|found| (found.oracle, found.severity, found.text.as_str())).collect()
    }

    fn judged(plan: &str, outcome: &Outcome) -> Vec<Suspicion> {
        let samples = BTreeSet::from(["webs.e.com".to_owned()]);
        let known = vec![request(0, "list:pods#1", 403, &[]), request(0, "create:services/taken#1", 422, &[])];
        let reference = Reference::of([(Vec::new(), known), (Vec::new(), Vec::new())]);
        judge(&plan.parse().unwrap(), outcome, &reference, &samples)
    }

    #[test]
    fn a_missing_object_is_told_before_a_field() {
        let difference = |object: &str, path: &str| Difference {
            object: object.to_owned(),
            path: path.to_owned(),
            expected: Some("1".to_owned()),
            found: None,
        };
        let differences = vec![difference("a/a", ".spec"), difference("services/web", "")];
        let found = judged("down@change", &outcome(Vec::new(), vec![rest(differences, true)]));
        assert_eq!(texts(&found), [(Oracle::State, Severity::Error, "services/web is missing")]);
        assert_eq!((found[0].heals, found[0].differences.len()), (Some(Recovery::Restart), 2));
        assert!(judged("down@change", &outcome(Vec::new(), vec![rest(Vec::new(), false)])).is_empty());
    }

    #[test]
    fn a_job_that_is_left_of_a_value_is_no_error() {
        let left = |object: &str| Difference {
            object: object.to_owned(),
            path: String::new(),
            expected: None,
            found: Some("1".to_owned()),
        };
        for (plan, objects, severity) in [
            ("field:webs.e.com/w/spec.image=\"b\"@change", &["jobs.batch/b"][..], Severity::Warning),
            ("field:webs.e.com/w/spec.image=\"b\"@change", &["configmaps/b", "jobs.batch/b"], Severity::Error),
            ("down@change", &["jobs.batch/b"], Severity::Error),
        ] {
            let differences = objects.iter().map(|object| left(object)).collect();
            let found = judged(plan, &outcome(Vec::new(), vec![rest(differences, false)]));
            let text = format!("{} exists, and should not", objects[0]);
            assert_eq!(texts(&found), [(Oracle::State, severity, text.as_str())]);
        }
    }

    #[test]
    fn an_object_that_is_written_again_and_again_is_named() {
        let writes = (0..9).map(|second| request(second, "patch:webs.e.com/w/status#1", 200, &[])).collect();
        let found = judged("down@change", &outcome(writes, vec![rest(Vec::new(), true)]));
        assert!(found.iter().all(|found| found.severity == Severity::Warning), "one in a second is no loop: {found:?}");
        let writes = (0..9).map(|_| request(1, "patch:webs.e.com/w/status#1", 200, &[])).collect();
        let found = judged("down@change", &outcome(writes, vec![rest(Vec::new(), true)]));
        let text = "the operator writes webs.e.com/w/status again and again: 9 times in 2 s";
        assert_eq!(texts(&found), [(Oracle::Restless, Severity::Error, text)]);
    }

    #[test]
    fn requests_and_logs_are_judged() {
        let journal = vec![
            request(0, "list:pods#1", 403, &[]),
            request(0, "delete:services/web#1", 403, &[]),
            request(0, "delete:secrets/key#1", 200, &[]),
            request(0, "delete:services/old#1", 200, &[]),
        ];
        let mut outcome = outcome(journal, vec![rest(Vec::new(), false)]);
        outcome.log.push((Duration::ZERO, "thread 'main' (1) panicked at src/main.rs:7:5:".to_owned()));
        outcome.foreign_lost = true;
        let found = judged("conflict:update:services/web#1@change", &outcome);
        assert_eq!(
            texts(&found),
            [
                (Oracle::Panic, Severity::Error, "the operator panics at src/main.rs:7:5"),
                (Oracle::Denied, Severity::Error, "the operator may not `delete services/web`"),
                (Oracle::Deletion, Severity::Error, "the operator deletes secrets/key"),
                (Oracle::Deletion, Severity::Warning, "the operator deletes services/old"),
                (
                    Oracle::ForeignField,
                    Severity::Error,
                    "an annotation that somebody else wrote into services/web is lost"
                ),
            ]
        );
    }

    #[test]
    fn a_restart_that_writes_is_an_error_where_pods_restart() {
        for (change, severity) in [("spec.template.x: 1", Severity::Error), ("data.x: 1", Severity::Warning)] {
            let write = request(2, "patch:deployments.apps/web#1", 200, &[change]);
            let mut outcome = outcome(vec![request(1, "list:pods#1", 200, &[]), write], Vec::new());
            outcome.at_rest = Some(0..0);
            let found = judged("restart@create", &outcome);
            let text = format!("a restart at rest leads to a `patch` of deployments.apps/web: {change}");
            assert_eq!(texts(&found), [(Oracle::RestartWrites, severity, text.as_str())]);
            outcome.at_rest = Some(2..2);
            assert!(judged("restart@create", &outcome).is_empty());
        }
    }

    #[test]
    fn a_value_that_no_child_can_have_is_refused_and_no_more() {
        let difference = Difference {
            object: "services/web".to_owned(),
            path: String::new(),
            expected: None,
            found: Some("exists".to_owned()),
        };
        for (impossible, oracles) in
            [(true, vec![Oracle::Refused]), (false, vec![Oracle::Differential, Oracle::Refused])]
        {
            let mut entry = request(0, "update:services/web#1", 422, &[]);
            entry.step = Step::Change;
            let mut outcome = outcome(vec![entry], Vec::new());
            let differences = vec![difference.clone()];
            outcome.changed = Some(Changed { differences, impossible, text: "spec.port=0".to_owned() });
            let found = judged("field:webs.e.com/w/spec.port=0@change", &outcome);
            assert_eq!(found.iter().map(|found| found.oracle).collect::<Vec<_>>(), oracles);
            // The reference has the same refusal, because two concurrent runs want the same node port.
            outcome.journal[0].event = request(0, "create:services/taken#1", 422, &[]).event;
            let found = judged("field:webs.e.com/w/spec.port=0@change", &outcome);
            assert!(found.iter().all(|found| found.oracle != Oracle::Refused), "{found:?}");
        }
    }
}
