//! The oracles: rules that find suspicions, which are possible bugs of the operator, in the record of a run.

mod rotated;
mod storm;
mod unwell;

use super::lease_writes;
use super::premature_ready;
use super::revival;
use super::suspicion::{Oracle, Severity, Suspicion, suspicion};
use crate::explore::plan::fault_plan::{Class, Plan, Step};
use crate::explore::record::journal::{Entry, Event, VARIES};
use crate::explore::record::state::{Difference, strip_number};
use crate::explore::run::exercise;
use crate::explore::run::reference::{Reference, deletions, denied_requests, left_invalid};
use crate::explore::run::settle::{Recovery, Rest};
use crate::explore::run::steps::Outcome;
use std::collections::BTreeSet;

/// The steps of a run that change a field of each sample: first to a new value, and then back to the original value. A
/// sample is a custom resource that opctl creates to test the operator.
const CHANGES: [Step; 2] = [Step::Change, Step::Back];

/// Resources whose objects lose data when they are deleted: an unexpected deletion of such an object is an error.
const DEAR: [&str; 4] = ["persistentvolumeclaims", "secrets", "statefulsets.apps", "jobs.batch"];

/// Returns the suspicions about a run with a fault, sorted by severity and then by the significance of the oracle.
/// `samples` are the resources, such as `webs.example.com`, of the objects that opctl creates to test the operator.
pub fn judge(plan: &Plan, outcome: &Outcome, reference: &Reference, samples: &BTreeSet<String>) -> Vec<Suspicion> {
    let mut found: Vec<Suspicion> =
        outcome.rests.iter().filter_map(|rest| objects(rest, &outcome.journal, samples)).collect();
    if plan.class == Class::DeleteUnseen {
        // kube's `Controller` does not trigger a reconcile for such a deletion, which its user cannot change: the next
        // resync makes the object again.
        found.retain(|suspicion| suspicion.heals != Some(Recovery::NextEvent));
        for suspicion in &mut found {
            "unseen".clone_into(&mut suspicion.key);
        }
    }
    if let Some(waits) = unwell::waits(plan, outcome) {
        // What is not done yet only follows from it.
        return vec![waits];
    }
    if plan.class == Class::Unready {
        found
            .iter_mut()
            .filter(|suspicion| suspicion.differences.iter().all(|it| tells_of_past(it, samples)))
            .for_each(|suspicion| {
                suspicion.severity = Severity::Warning;
            });
        found.extend(unwell::meanwhile(plan, outcome, reference));
    }
    if plan.class == Class::StripLabels {
        for suspicion in &mut found {
            only_labels(suspicion, &plan.aim);
        }
    }
    if plan.class == Class::Field {
        for suspicion in found.iter_mut().filter(|suspicion| suspicion.oracle == Oracle::State) {
            // A Job for each value, for example, is there after the value was changed back.
            if suspicion.differences.iter().all(is_kept) {
                suspicion.severity = Severity::Warning;
            }
            if suspicion.differences.iter().all(is_default) {
                suspicion.severity = Severity::Warning;
                suspicion
                    .text
                    .push_str(": the API server chose this default for the other field value; set it explicitly");
            }
        }
    }
    found.extend(panics(outcome));
    let known = reference.denied_requests();
    for (request, index) in
        denied_requests(&outcome.journal).into_iter().filter(|(request, _)| !known.contains(request))
    {
        let text = format!("the operator is not allowed to `{}`", request.replacen(':', " ", 1));
        found.push(suspicion(Oracle::Denied, Severity::Error, text, request, outcome.journal[index].step));
    }
    let mut steps: BTreeSet<Step> = outcome.rests.iter().map(|rest| rest.step).collect();
    if plan.class == Class::Unready {
        // A step whose Jobs failed for good does not come to the reference's rest.
        steps.insert(plan.step);
    }
    // An immutable field is changed by a deletion and a creation, once there and once back.
    let on_purpose = if plan.class == Class::Field { CHANGES.len() } else { 0 };
    let steps = if plan.class == Class::Field { CHANGES.into() } else { steps };
    let is_missing = |object: &str, found: &[Suspicion]| {
        let errors = found.iter().filter(|suspicion| suspicion.severity == Severity::Error);
        let mut differences = errors.flat_map(|suspicion| &suspicion.differences);
        differences.any(|difference| difference.is_missing() && strip_number(&difference.object) == object)
    };
    for (object, count) in deletions(&outcome.journal, &steps) {
        let is_missing = is_missing(&object, &found);
        let permitted = if is_missing { 0 } else { on_purpose };
        let usual = reference.deletions(&object, &steps).max(permitted);
        if count > usual && !unwell::is_retry(plan, &object, count - usual) {
            let resource = object.split('/').next().unwrap_or_default();
            let dear = DEAR.contains(&resource) || samples.contains(resource) || is_missing;
            let severity = if dear { Severity::Error } else { Severity::Warning };
            let text = format!("the operator deletes {}{}", displayed_object(&object, &outcome.journal), times(count));
            found.push(suspicion(Oracle::Deletion, severity, text, object, plan.step));
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
            Class::Lease | Class::HandOver => lease_writes::writes(meanwhile),
            _ => None,
        });
    }
    found.extend(changed_field(outcome, reference));
    found.extend(rotated::values(plan, outcome, reference, samples));
    let mut seen = BTreeSet::new();
    found.retain(|suspicion| seen.insert((suspicion.oracle, suspicion.key.clone())));
    found.sort_by_key(|suspicion| (suspicion.severity, suspicion.oracle));
    let differences = found.iter().find(|suspicion| !suspicion.differences.is_empty());
    let differences = differences.map(|suspicion| suspicion.differences.clone()).unwrap_or_default();
    if let Some(first) = found.first_mut().filter(|first| first.differences.is_empty()) {
        first.differences = differences;
    }
    found
}

/// Returns the suspicions about a run without a fault. There is no reference run to compare with, so the function
/// reports only behaviour that is wrong in every operator.
pub fn judge_undisturbed(outcome: &Outcome, samples: &BTreeSet<String>) -> Vec<Suspicion> {
    let mut found: Vec<Suspicion> =
        outcome.rests.iter().filter(|rest| rest.restless).map(|rest| restless(rest, &outcome.journal)).collect();
    found.extend(panics(outcome));
    if let Some(text) = exercise::may_not(outcome) {
        let first = denied_requests(&outcome.journal).first().map(|(_, index)| *index);
        // An operator works without events, but says less.
        let is_event = |request: &String| request.contains("events");
        let needed = first.is_some() || !outcome.denied.iter().all(is_event);
        let severity = if needed { Severity::Error } else { Severity::Warning };
        let found_here = suspicion(Oracle::Denied, severity, text, String::new(), Step::Create);
        found.push(Suspicion { entry: first, ..found_here });
    }
    found.extend(
        exercise::unready_sample_sentence(outcome)
            .map(|text| suspicion(Oracle::NotReady, Severity::Error, text, String::new(), Step::Create)),
    );
    found.extend(outcome.order.iter().map(|(object, reason)| {
        let text = format!("{object} never becomes Ready when the samples are created in the reverse order: {reason}");
        suspicion(Oracle::Order, Severity::Error, text, object.clone(), Step::Recreate)
    }));
    found.extend(premature_ready::claims(&outcome.journal));
    found.extend(revival::revival_suspicion(&outcome.journal, samples));
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

/// Returns a deleted object as shown in messages, such as `services/web`. If the name of the object differs from
/// run to run, the text contains the name in this run, followed by [`VARIES`].
fn displayed_object(object: &str, journal: &[Entry]) -> String {
    let mut deleted = journal.iter().filter_map(Entry::request).filter(|request| request.parts() == ("delete", object));
    let named = deleted.find_map(|request| request.named.as_ref());
    named.map_or_else(|| object.to_owned(), |named| format!("{named}{VARIES}"))
}

/// Returns the text for a count in messages, such as " (2 times)"; empty for a count of 1.
fn times(count: usize) -> String {
    if count > 1 { format!(" ({count} times)") } else { String::new() }
}

fn objects(rest: &Rest, journal: &[Entry], samples: &BTreeSet<String>) -> Option<Suspicion> {
    let is_sample = |difference: &Difference| {
        difference.object.split('/').next().is_some_and(|resource| samples.contains(resource))
    };
    // What is left of a deletion that does not end only follows from it.
    let rank = |difference: &&Difference| {
        let ends = !difference.never_ends();
        (ends, !ends && !is_sample(difference), !difference.path.is_empty(), (*difference).clone())
    };
    let Some(first) = rest.differences.iter().min_by_key(rank) else {
        return rest.restless.then(|| restless(rest, journal));
    };
    let (oracle, text) = match (first.never_ends(), rest.step.deletes()) {
        (true, true) => (Oracle::Leak, format!("the deletion of {} does not end", first.displayed_object())),
        (false, true) => (Oracle::Leak, format!("after the deletion, {first}")),
        (_, false) => (Oracle::State, more(first, &rest.differences).unwrap_or_else(|| first.to_string())),
    };
    let mut found = suspicion(oracle, Severity::Error, text, first.key(), rest.step);
    found.heals = Some(rest.heals);
    found.differences.clone_from(&rest.differences);
    Some(found)
}

/// Returns a sentence about additional objects, which exist in this run but not in a run without the fault. The
/// sentence counts the additional objects with the same `Difference::key` as `first`. Returns `None` if `first` is not
/// an additional object, or if the name of the object is the same in all runs.
fn more(first: &Difference, differences: &[Difference]) -> Option<String> {
    let is_more = |difference: &&Difference| {
        difference.path.is_empty() && difference.expected.is_none() && difference.key() == first.key()
    };
    first.name.as_ref().filter(|_| is_more(&first))?;
    let names: Vec<String> = differences.iter().filter(is_more).map(Difference::displayed_object).collect();
    let few = names.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
    let (verb, count) = if names.len() == 1 { ("is", "object") } else { ("are", "objects") };
    Some(format!("there {verb} {} more {count} than without the fault: {few}", names.len()))
}

/// Turns an error into a warning if only labels of `object` are missing and nothing restores the labels, because the
/// operator may create the object only once, or apply only some fields. Keeps the error if a later event or a restart
/// of the operator restores the labels, because then the operator has missed an event.
///
/// Gives the error and the warning the same key, by which opctl recognizes the suspicion in a repeated run. A repeated
/// run does not test if a later event or a restart restores the labels, so the severity of the suspicion may differ
/// there.
fn only_labels(suspicion: &mut Suspicion, object: &str) {
    let is_label = |found: &Difference| found.object == object && found.path.starts_with(".metadata.labels");
    if !suspicion.differences.iter().all(is_label) {
        return;
    }
    suspicion.key = format!("labels of {object}");
    if suspicion.heals == Some(Recovery::Never) {
        suspicion.severity = Severity::Warning;
        suspicion.text =
            format!("the labels of {object} are not restored: does anything select the object by these labels?");
    }
}

/// Returns true if the difference is in a field of a sample's status that may record the past, such as a failure count.
fn tells_of_past(difference: &Difference, samples: &BTreeSet<String>) -> bool {
    let resource = difference.object.split('/').next().unwrap_or_default();
    let is_now = ["conditions", "phase", "state", "observedGeneration"];
    let field = difference.path.strip_prefix(".status.").filter(|_| samples.contains(resource));
    field.is_some_and(|field| !is_now.iter().any(|name| field.starts_with(name)))
}

/// Returns the suspicion that the operator does not come to rest. Names the object that the operator writes again and
/// again, if any.
fn restless(rest: &Rest, journal: &[Entry]) -> Suspicion {
    let end = journal.iter().rev().find(|entry| entry.step == rest.step).map(|entry| entry.at).unwrap_or_default();
    let of_step = journal.iter().filter(|entry| entry.step == rest.step);
    let busiest = storm::busiest(of_step, end).filter(|(_, count)| *count > storm::WRITES);
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

/// Resources with many immutable fields. Operators may intentionally keep objects of these resources with old
/// values.
const FIXED: [&str; 4] = ["jobs.batch", "persistentvolumeclaims", "statefulsets.apps", "pods"];

fn is_fixed(difference: &Difference) -> bool {
    FIXED.contains(&difference.object.split('/').next().unwrap_or_default())
}

/// Returns true if the difference is in a field that the API server derives once from another field and then keeps:
/// `imagePullPolicy`, which depends on the tag of the image when the object is created.
fn is_default(difference: &Difference) -> bool {
    difference.path.ends_with(".imagePullPolicy")
}

/// Returns true if the difference is an object that exists in this run but not in the reference run, and that
/// belongs to one of the resources in [`FIXED`]. The operator may intentionally keep such an object.
fn is_kept(difference: &Difference) -> bool {
    is_fixed(difference) && difference.path.is_empty() && difference.expected.is_none()
}

/// Returns the suspicions about the new value of a sample's field. One suspicion is that a sample created with the new
/// value has other children than a sample whose field was changed to the new value later. Another suspicion is that the
/// API server refuses a request of the operator because of the new value.
fn changed_field(outcome: &Outcome, reference: &Reference) -> Vec<Suspicion> {
    let Some(changed) = &outcome.changed else { return Vec::new() };
    let mut found = Vec::new();
    let (requests, known) =
        (outcome.journal.iter().filter(|entry| entry.step == Step::Change), reference.invalid_writes());
    let refused = left_invalid(requests).into_iter().find(|request| !known.contains(&request.parts()));
    // If the value is impossible for children, the differences mean nothing.
    if let Some(first) = changed.differences.first().filter(|_| !changed.impossible) {
        let text =
            format!("setting `{}` at creation and setting it later give different results: {first}", changed.text);
        let severity = if is_fixed(first) { Severity::Warning } else { Severity::Error };
        let mut differs = suspicion(Oracle::Differential, severity, text, first.key(), Step::Change);
        differs.differences.clone_from(&changed.differences);
        found.push(differs);
    }
    if let Some(request) = refused {
        let (verb, object) = request.parts();
        let text = format!(
            "the CRD accepts `{}`, but the API server refuses to {verb} {object} with status {}",
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
    let text = format!("a restart of the idle operator leads to a `{verb}` of {object}{changes}");
    // A changed pod template restarts the pods.
    let dear = write.changes.iter().any(|change| change.starts_with("spec.template"));
    let severity = if dear { Severity::Error } else { Severity::Warning };
    Some(suspicion(Oracle::RestartWrites, severity, text, object.to_owned(), plan.step))
}

#[cfg(test)]
mod tests;
