//! The oracle for children that are created again while their owner is being deleted.

use super::suspicion::{Oracle, Severity, Suspicion, suspicion};
use crate::explore::record::journal::{Entry, Event};
use std::collections::BTreeSet;

/// Returns the suspicion if, in a run without a fault, the operator creates a child again after an event for the
/// deletion of the child's owner. `samples` are the resources of the objects that the user deletes.
///
/// A reconcile may have begun before the event, so only the second request for the same child counts.
pub fn revival_suspicion(journal: &[Entry], samples: &BTreeSet<String>) -> Option<Suspicion> {
    let mut earlier = BTreeSet::new();
    let (mut step, mut told, mut asked) = (None, false, BTreeSet::new());
    for (index, entry) in journal.iter().enumerate() {
        if step != Some(entry.step) {
            (step, told) = (Some(entry.step), false);
            asked.clear();
        }
        match &entry.event {
            Event::Told(text) => told |= entry.step.deletes() && tells_of_deletion(text, samples),
            Event::Request(request) => {
                let (_, object) = request.parts();
                let is_made = request.status == 201 && !request.left.owners.is_empty();
                if told && is_made && earlier.contains(object) && asked.contains(object) {
                    let text = format!("the operator makes {object} again while its owner is being deleted");
                    let found = suspicion(Oracle::Revival, Severity::Error, text, String::new(), entry.step);
                    return Some(Suspicion { entry: Some(index), ..found });
                }
                if told && (200..300).contains(&request.status) {
                    asked.insert(object.to_owned());
                }
                if is_made && !entry.step.deletes() {
                    earlier.insert(object.to_owned());
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns true if `text`, a watch event such as `MODIFIED webs.example.com/w`, shows the operator that a sample is
/// being deleted. The caller must pass only events from a step that deletes the samples. In such a step, the API server
/// sets the deletion timestamp of a sample, and the watch reports this as a modification.
fn tells_of_deletion(text: &str, samples: &BTreeSet<String>) -> bool {
    let object = text.strip_prefix("MODIFIED ");
    object.and_then(|object| object.split('/').next()).is_some_and(|resource| samples.contains(resource))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::plan::fault_plan::Step;
    use crate::explore::record::journal::{Request, WrittenObject};
    use serde_json::json;
    use std::time::Duration;

    fn entry(step: Step, event: Event) -> Entry {
        Entry { at: Duration::ZERO, step, event }
    }

    fn applied(step: Step, status: u16) -> Entry {
        let left = WrittenObject::of(&json!({"metadata": {"ownerReferences": [{"uid": "w"}]}}));
        let request = "patch:services/w#1".to_owned();
        entry(step, Event::Request(Request { request, status, effective: status == 201, left, ..Request::default() }))
    }

    fn told(step: Step, text: &str) -> Entry {
        entry(step, Event::Told(text.to_owned()))
    }

    #[test]
    fn the_second_pass_after_the_deletion_knows_of_it() {
        let deleted = told(Step::Foreground, "MODIFIED webs.e.com/w");
        let (made, again) = (applied(Step::Create, 201), |status| applied(Step::Foreground, status));
        let samples = BTreeSet::from(["webs.e.com".to_owned()]);
        let revived = |journal: &[Entry]| super::revival_suspicion(journal, &samples);
        let found = revived(&[made.clone(), deleted.clone(), again(200), again(201)]).unwrap();
        assert_eq!(found.text, "the operator makes services/w again while its owner is being deleted");
        let of_another = told(Step::Foreground, "MODIFIED pods/somebody-elses");
        for journal in [
            vec![made.clone(), deleted.clone(), again(201)],
            vec![made.clone(), again(200), deleted.clone(), again(201)],
            vec![made.clone(), deleted.clone(), again(500), again(201)],
            vec![made.clone(), of_another, again(200), again(201)],
            vec![deleted, again(201), again(201)],
            vec![
                made,
                told(Step::Recreate, "MODIFIED webs.e.com/w"),
                applied(Step::Recreate, 200),
                applied(Step::Recreate, 201),
            ],
        ] {
            assert_eq!(revived(&journal), None, "{journal:?}");
        }
    }
}
