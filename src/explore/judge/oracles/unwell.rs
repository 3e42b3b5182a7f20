//! The oracles for runs in which pods, Jobs or claims are unhealthy, and for requests that get no response.

use super::super::suspicion::{Oracle, Severity, Suspicion, suspicion};
use super::storm;
use crate::explore::plan::fault_plan::{Class, Plan};
use crate::explore::record::journal::Entry;
use crate::explore::run::reference::Reference;
use crate::explore::run::steps::Outcome;

/// The number of retries that counts as a loop. A correct operator pauses between retries, and so stays below this
/// number. A retry is a deletion of the same unhealthy object, or the creation of an additional object of the same
/// kind.
const LOOP: usize = 3;

/// Resources whose failed objects an operator may delete to try again.
const TRIED_AGAIN: [&str; 2] = ["jobs.batch", "pods"];

/// Returns true if `count` deletions of `object` are permitted retries: the fault of `plan` makes objects unhealthy,
/// the resource of `object` is in [`TRIED_AGAIN`], and `count` is below [`LOOP`].
pub(super) fn is_retry(plan: &Plan, object: &str, count: usize) -> bool {
    let resource = object.split('/').next().unwrap_or_default();
    plan.class == Class::Unready && TRIED_AGAIN.contains(&resource) && count < LOOP
}

/// Returns the suspicions about the samples' status and the operator's writes while opctl simulates unhealthy
/// objects.
pub(super) fn meanwhile(plan: &Plan, outcome: &Outcome, reference: &Reference) -> Vec<Suspicion> {
    let (Some(held), Some((resource, _))) = (&outcome.held, plan.workload()) else { return Vec::new() };
    let mut found = Vec::new();
    for (sample, child) in &held.claims {
        // An operator that never waits for its objects makes no claim about them.
        let (severity, more) = if reference.claims_early(child.split('/').next().unwrap_or_default()) {
            (Severity::Warning, ": its status reports that its objects exist, not that they work")
        } else {
            (Severity::Error, "")
        };
        let text = format!("{sample} reports that it is ready, but {child} is not{more}");
        found.push(suspicion(Oracle::Dishonest, severity, text, format!("claim of {sample}"), plan.step));
    }
    let entries = &outcome.journal[held.during.clone()];
    let end = entries.last().map(|entry| entry.at).unwrap_or_default();
    // What is made is counted below, and a status may well tell of each change of a pod.
    let writes = entries.iter().filter(|entry| entry.request().is_some_and(|request| request.status != 201));
    if let Some((object, count)) = storm::busiest(writes, end).filter(|(_, count)| *count > 2 * storm::WRITES) {
        let text = format!("the operator writes {object} again and again: {count} times in 2 s");
        found.push(suspicion(Oracle::Restless, Severity::Error, text, object.to_owned(), plan.step));
    }
    let seconds = held.lasted.as_secs();
    let made = entries.iter().filter_map(Entry::request).filter(|request| request.makes(resource)).count();
    let further = made.saturating_sub(reference.created_count(resource, plan.step));
    if further >= LOOP {
        let text = format!("the operator makes {further} further {resource} within {seconds} s, without a pause");
        found.push(suspicion(Oracle::Restless, Severity::Error, text, format!("further {resource}"), plan.step));
    }
    found
}

/// Returns the suspicion if the operator waits for a response without a time limit.
pub(super) fn waits(plan: &Plan, outcome: &Outcome) -> Option<Suspicion> {
    let works_on_another = outcome.works_on_another?;
    let (request, _) = plan.request()?;
    let request = request.replacen(':', " ", 1);
    let limit = "set a time limit, such as `tokio::time::timeout` around the reconcile: clients have none by default";
    let waits = format!("the operator waits for `{request}` without a time limit");
    let (severity, text) = if works_on_another {
        (Severity::Warning, format!("{waits}; {limit}"))
    } else {
        (Severity::Error, format!("{waits}, and works on no other object; {limit}"))
    };
    // One cause, whatever the request.
    let found = suspicion(Oracle::Waits, severity, text, "waits".to_owned(), plan.step);
    let differences = outcome.rests.last().map(|rest| rest.differences.clone()).unwrap_or_default();
    Some(Suspicion { differences, ..found })
}
