//! Plans with two faults. After the first fault, an operator adopts, repairs or repeats something: work that does not
//! occur in undisturbed runs. The second fault interrupts this work.

use crate::explore::plan::fault_plan::{Class, Plan, SECOND};
use crate::explore::record::journal::{Entry, Event, Request};
use crate::explore::run::reference::Reference;
use std::collections::{BTreeMap, BTreeSet};

/// A write without its sequence number and values: the verb and the object, and the names of the changed fields.
type Shape = (String, BTreeSet<String>);

/// The writes that the operator has sent in the runs so far.
#[derive(Debug, Default)]
pub struct Coverage {
    undisturbed: BTreeSet<Shape>,
    /// Writes that occur only in runs with a fault, each with the classes of the faults that lead to the write.
    new: BTreeMap<Shape, BTreeSet<Class>>,
}

impl Coverage {
    /// Creates the coverage from the writes of the runs without a fault.
    pub fn of(reference: &Reference) -> Coverage {
        let entries = reference.journals.iter().flatten();
        let writes = entries.filter_map(Entry::request).filter(|request| request.effective);
        Coverage { undisturbed: writes.map(shape).collect(), new: BTreeMap::new() }
    }

    /// Returns plans with two faults: the fault of `plan`, and then a fault at a later write in the same step. Uses
    /// only writes that the operator does not send in runs without a fault, and that did not already follow a fault of
    /// the same class in an earlier run.
    pub fn pairs(&mut self, plan: &Plan, journal: &[Entry]) -> Vec<Plan> {
        if !plan.may_go_on() {
            return Vec::new();
        }
        let of_step = journal.iter().filter(|entry| entry.step == plan.step);
        let after = of_step.skip_while(|entry| !matches!(entry.event, Event::Fault(_))).filter_map(Entry::request);
        let mut pairs = Vec::new();
        for request in after.filter(|request| request.effective && !self.undisturbed.contains(&shape(request))) {
            let classes = self.new.entry(shape(request)).or_default();
            // A crash leaves the most behind.
            let seconds = if classes.is_empty() { &SECOND[..] } else { &SECOND[..1] };
            if classes.insert(plan.class) {
                pairs.extend(seconds.iter().filter_map(|class| {
                    let second = Plan { class: *class, aim: request.request.clone(), step: plan.step, then: None };
                    plan.clone().followed_by(second)
                }));
            }
        }
        pairs.sort_by_key(|pair| pair.then.as_ref().map(|second| second.class));
        pairs
    }
}

fn shape(request: &Request) -> Shape {
    let fields = request.changes.iter().map(|change| change.split(": ").next().unwrap_or(change).to_owned());
    let (verb, object) = request.parts();
    (format!("{verb}:{object}"), fields.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::plan::fault_plan::Step;
    use std::time::Duration;

    fn entry(event: Event) -> Entry {
        Entry { at: Duration::ZERO, step: Step::Create, event }
    }

    fn write(request: &str, changes: &[&str]) -> Entry {
        entry(Event::Request(Request {
            request: request.to_owned(),
            status: 200,
            changes: changes.iter().map(|change| (*change).to_owned()).collect(),
            effective: true,
            ..Request::default()
        }))
    }

    fn pairs(coverage: &mut Coverage, plan: &str, journal: &[Entry]) -> Vec<String> {
        coverage.pairs(&plan.parse().unwrap(), journal).iter().map(Plan::to_string).collect()
    }

    #[test]
    fn the_second_fault_interrupts_what_is_new() {
        let run = || (Vec::new(), vec![write("patch:webs.e.com/w/status#1", &["status.id: 1"])]);
        let reference = Reference::of([run(), run()]);
        let fault = || entry(Event::Fault("the operator is killed".to_owned()));
        let plan = "crash:create:services/w#1@create";
        let journal = [
            write("create:services/w#1", &[]),
            fault(),
            write("patch:webs.e.com/w/status#1", &["status.id: 2"]),
            write("patch:webs.e.com/w/status#2", &["status.phase: \"Recovering\""]),
        ];
        let mut coverage = Coverage::of(&reference);
        let second = |class: &str| format!("{plan} then {class}:patch:webs.e.com/w/status#2@create");
        assert_eq!(pairs(&mut coverage, plan, &journal), ["crash", "lost", "refuse"].map(second));
        // Another class of fault that leads to the same may leave something else behind; the same class hardly does.
        assert!(pairs(&mut coverage, plan, &journal).is_empty());
        let other = "restart@create then crash:patch:webs.e.com/w/status#2@create";
        assert_eq!(pairs(&mut coverage, "restart@create", &journal), [other]);
        assert!(pairs(&mut Coverage::default(), "field:webs.e.com/w/spec.a=1@change", &journal).is_empty());
    }
}
