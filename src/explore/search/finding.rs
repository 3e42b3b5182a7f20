//! Creates findings from suspicions: the message, the events around the fault, and the command lines to paste.

use super::explorer::Explorer;
use crate::error::hint;
use crate::explore::judge::suspicion::{Oracle, Suspicion};
use crate::explore::plan::fault_plan::{Plan, Step};
use crate::explore::record::journal::{Entry, Event, Request};
use crate::explore::report::text::{Finding, Repeats};
use crate::explore::run::log;
use crate::explore::run::reference::Reference;
use crate::explore::run::settle::Recovery;
use crate::explore::run::steps::Outcome;
use crate::explore::server::operator::Launch;
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

/// The number of journal entries that are shown before the fault; [`AFTER`] is the number after the fault.
const BEFORE: usize = 6;
const AFTER: usize = 14;
/// The number of timeline entries that are shown before the first write that only the run with the fault sends.
/// [`AFTER_WRITE`] is the number of entries after this write.
const BEFORE_WRITE: usize = 4;
const AFTER_WRITE: usize = 2;
/// The maximum number of log lines in a finding. The lines are from the time between the first event of the
/// timeline and [`LOG_AFTER`] after its last event.
const LOG: usize = 6;
const LOG_AFTER: Duration = Duration::from_secs(5);

impl Explorer<'_> {
    /// Makes a finding from a suspicion and the run that showed it.
    pub fn finding(
        &self,
        plan: Option<&Plan>,
        suspicion: &Suspicion,
        outcome: &Outcome,
        reference: &Reference,
        repeats: Repeats,
    ) -> Finding {
        let Launch { again, remembers, .. } = &self.world.launch;
        let timeline = timeline(suspicion, &outcome.journal, reference);
        let from = timeline.first().map(|entry| entry.at).unwrap_or_default();
        let to = timeline.last().map(|entry| entry.at).unwrap_or_default() + LOG_AFTER;
        let log = log::distinct_lines(outcome.log.iter().filter(|(at, _)| (from..to).contains(at)));
        Finding {
            severity: suspicion.severity,
            oracle: suspicion.oracle,
            message: message(plan, suspicion),
            code: code(suspicion),
            plan: plan.map(ToString::to_string),
            object: None,
            replay: plan.map(|plan| hint!("{again} --replay {plan} --keep", again, plan)),
            remember: plan.filter(|_| *remembers).map(|plan| hint!("{again} --remember {plan}", again, plan)),
            seconds: self.seconds(),
            heals: suspicion.heals,
            repeats,
            differences: suspicion.differences.clone(),
            timeline,
            reference_timeline: without_fault(plan, reference),
            reference_next: plan.and_then(|plan| next_write(plan, reference)),
            log: log.into_iter().take(LOG).collect(),
            also: Vec::new(),
        }
    }
}

fn message(plan: Option<&Plan>, suspicion: &Suspicion) -> String {
    match plan {
        Some(_) if [Oracle::Differential, Oracle::Refused].contains(&suspicion.oracle) => suspicion.text.clone(),
        Some(plan) => format!("{}, {}", plan.phrase(), suspicion.text),
        None => suspicion.text.clone(),
    }
}

/// Returns the events around the fault, and the events around the first write that no run without a fault sends.
fn timeline(suspicion: &Suspicion, journal: &[Entry], reference: &Reference) -> Vec<Entry> {
    let is_fault = |entry: &Entry| matches!(entry.event, Event::Fault(_));
    let begins = journal.iter().position(is_fault).or(suspicion.entry);
    let fault = begins.or_else(|| journal.iter().position(|entry| entry.step == suspicion.step)).unwrap_or_default();
    let last_fault = journal.iter().rposition(is_fault).unwrap_or(fault).min(fault + AFTER);
    let end = (last_fault + AFTER).min(journal.len());
    let mut shown = journal[fault.saturating_sub(BEFORE)..end].to_vec();
    let again = (suspicion.oracle == Oracle::Restless).then(|| last_two(journal, &suspicion.key)).flatten();
    let telling = || {
        let entry = suspicion.entry.filter(|index| *index >= fault);
        entry.or_else(|| first_new(journal, fault, suspicion, reference)).map(|index| index..index)
    };
    if let Some(telling) = again.or_else(telling).filter(|telling| telling.end >= end) {
        let from = telling.start.saturating_sub(BEFORE_WRITE).max(end);
        if from > end {
            let Entry { at, step, .. } = journal[from - 1];
            shown.push(Entry { at, step, event: Event::Skipped(from - end) });
        }
        shown.extend_from_slice(&journal[from..(telling.end + 1 + AFTER_WRITE).min(journal.len())]);
    }
    shown
}

/// Returns the range of journal indexes from the last but one write of an object to its last write, shortened to the
/// last [`BEFORE`] entries. These entries show why the operator writes the object again. Returns `None` if there are
/// fewer than two writes.
fn last_two(journal: &[Entry], object: &str) -> Option<Range<usize>> {
    let writes = |entry: &Entry| entry.request().is_some_and(|request| request.moved && request.parts().1 == object);
    let last = journal.iter().rposition(writes)?;
    let before = journal[..last].iter().rposition(writes)?;
    Some(before.max(last.saturating_sub(BEFORE))..last)
}

/// Returns the index of the first additional write after the fault: a write that the operator sends more often in this
/// step than in the same step of a run without a fault. Prefers a write of an object that is part of the suspicion.
fn first_new(journal: &[Entry], fault: usize, suspicion: &Suspicion, reference: &Reference) -> Option<usize> {
    let usual = reference.journals.iter().map(|journal| counts(journal)).reduce(|mut all, other| {
        for (write, count) in other {
            let most: &mut usize = all.entry(write).or_default();
            *most = count.max(*most);
        }
        all
    });
    let usual = usual.unwrap_or_default();
    let mut seen: BTreeMap<_, usize> = BTreeMap::new();
    let mut new = Vec::new();
    for (index, entry) in journal.iter().enumerate() {
        if let Some(request) = entry.request().filter(|request| request.effective) {
            let write = (entry.step, request.parts());
            let count = seen.entry(write).or_default();
            *count += 1;
            if index > fault && *count > usual.get(&write).copied().unwrap_or_default() {
                new.push((index, request));
            }
        }
    }
    let differs = |request: &Request| {
        let (_, object) = request.parts();
        suspicion.key.starts_with(object) || suspicion.differences.iter().any(|found| found.object == object)
    };
    let of_object = new.iter().find(|(_, request)| differs(request));
    of_object.or(new.first()).map(|(index, _)| *index)
}

type Write<'j> = (Step, (&'j str, &'j str));

/// Returns the number of times that each write with an effect was sent in each step.
fn counts(journal: &[Entry]) -> BTreeMap<Write<'_>, usize> {
    let mut counts = BTreeMap::new();
    for entry in journal {
        if let Some(request) = entry.request().filter(|request| request.effective) {
            *counts.entry((entry.step, request.parts())).or_default() += 1;
        }
    }
    counts
}

/// Returns the first journal entries of the step of `plan`, from a run without a fault. Returns an empty list if `plan`
/// is `None`.
fn without_fault(plan: Option<&Plan>, reference: &Reference) -> Vec<Entry> {
    let of_step = reference.recorded.iter().filter(|entry| plan.is_some_and(|plan| entry.step == plan.step));
    of_step.take(BEFORE + 2 * AFTER).cloned().collect()
}

/// Returns the first write with an effect that follows the target request of `plan` in a run without a fault, as the
/// verb and the object; `None` if no such write follows.
fn next_write(plan: &Plan, reference: &Reference) -> Option<String> {
    let mut entries =
        reference.journals.first()?.iter().filter(|entry| entry.step == plan.step).filter_map(Entry::request);
    entries.find(|request| request.request == plan.aim)?;
    let next = entries.find(|request| request.effective)?;
    let (verb, object) = next.parts();
    Some(format!("{verb} {object}"))
}

fn code(suspicion: &Suspicion) -> &'static str {
    match suspicion.heals {
        Some(Recovery::NextEvent) => "heals-with-an-event",
        Some(Recovery::Restart) => "heals-with-a-restart",
        Some(Recovery::Never) => "never-heals",
        Some(Recovery::ByItself) | None => match suspicion.oracle {
            Oracle::State => "state",
            Oracle::Leak => "leak",
            Oracle::Restless => "restless",
            Oracle::Panic => "panic",
            Oracle::Denied => "denied",
            Oracle::Deletion => "deletion",
            Oracle::ForeignField => "foreign-field",
            Oracle::RestartWrites => "restart-writes",
            Oracle::Differential => "differential",
            Oracle::Refused => "refused",
            Oracle::Dishonest => "dishonest",
            Oracle::Revival => "revival",
            Oracle::Lease => "lease",
            Oracle::NotReady => "not-ready",
            Oracle::Order => "order",
            Oracle::Waits => "no-time-limit",
            Oracle::Rotated => "rotated",
            Oracle::Upgrade => "upgrade",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::judge::suspicion::{Severity, suspicion};

    fn entry(event: Event) -> Entry {
        Entry { at: Duration::ZERO, step: Step::Create, event }
    }

    fn write(request: &str) -> Entry {
        let request = Request { request: request.to_owned(), effective: true, moved: true, ..Request::default() };
        entry(Event::Request(request))
    }

    #[test]
    fn a_timeline_shows_why_an_object_is_written_again() {
        let told = |name: &str| entry(Event::Told(format!("MODIFIED {name}")));
        let round = || [write("patch:services/web#1"), told("services/web")];
        let journal: Vec<Entry> = (0..40).map(|_| told("pods/a")).chain((0..3).flat_map(|_| round())).collect();
        let found =
            suspicion(Oracle::Restless, Severity::Error, String::new(), "services/web".to_owned(), Step::Create);
        let shown =
            timeline(&found, &journal, &Reference::of([(Vec::new(), journal.clone()), (Vec::new(), Vec::new())]));
        let shown: Vec<String> = shown.iter().map(ToString::to_string).collect();
        let last = &shown[shown.len() - 4..];
        assert!(last[0].contains("services/web") && last[1] == last[3] && last[0] == last[2], "{shown:#?}");
        assert!(shown.len() < journal.len(), "it shows the beginning and the last round");
    }

    #[test]
    fn a_timeline_reaches_the_first_write_that_only_this_run_has() {
        let usual = || vec![write("create:services/w#1"), write("patch:webs.e.com/w/status#1")];
        let reference = Reference::of([(Vec::new(), usual()), (Vec::new(), usual())]);
        let told = || (0..40).map(|number| entry(Event::Told(format!("MODIFIED pods/{number}"))));
        let journal = |late: &[&str]| -> Vec<Entry> {
            let fault = entry(Event::Fault("the operator is killed".to_owned()));
            let late = late.iter().map(|request| write(request));
            [write("create:services/w#1"), fault].into_iter().chain(told()).chain(late).chain(told()).collect()
        };
        let found = suspicion(Oracle::State, Severity::Error, String::new(), "secrets/key".to_owned(), Step::Create);
        for (late, expected) in [
            (&["patch:webs.e.com/w/status#1"][..], None),
            (&["patch:webs.e.com/w/status#1", "delete:configmaps/a#1"], Some("delete:configmaps/a#1")),
            (&["delete:configmaps/a#1", "delete:secrets/key#1"], Some("delete:secrets/key#1")),
        ] {
            let shown = timeline(&found, &journal(late), &reference);
            let skipped = shown.iter().any(|entry| matches!(entry.event, Event::Skipped(_)));
            assert_eq!(skipped, expected.is_some(), "{late:?}");
            let last = shown.iter().filter_map(Entry::request).next_back().map(|request| request.request.as_str());
            assert_eq!(last.filter(|_| skipped), expected);
        }
    }
}
