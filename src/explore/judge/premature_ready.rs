//! The oracle for an untrue status: an object must not claim to be ready before its children exist.

use super::suspicion::{Oracle, Severity, Suspicion, suspicion};
use crate::explore::record::journal::{Entry, Request};
use std::time::Duration;

/// The maximum time between a status that claims readiness and a write of a child that contradicts the claim. A write
/// after this time does not contradict the claim, because it may have another cause, such as a Job that is due.
const SAME_PASS: Duration = Duration::from_secs(1);

/// Returns the suspicion if, in a run without a fault, a child is written after its owner has claimed to be ready.
pub fn claims(journal: &[Entry]) -> Option<Suspicion> {
    journal.iter().enumerate().find_map(|(index, entry)| {
        let claim =
            entry.request().filter(|request| request.effective && request.left.is_ready && !entry.step.deletes())?;
        let rest = &journal[index + 1..];
        let pass = rest.iter().take_while(|later| later.step == entry.step && later.at < entry.at + SAME_PASS);
        // A child that another controller (field manager) writes does not contradict this claim. A write without a field
        // manager may be that of any controller.
        let is_same = |request: &&Request| match (request.field_manager(), claim.field_manager()) {
            (Some(of_child), Some(of_claim)) => of_child == of_claim,
            _ => true,
        };
        let mut children = pass.filter_map(Entry::request).filter(|request| makes_child(request, &claim.left.uid));
        let late = children.find(is_same)?;
        let ((_, object), (_, child)) = (claim.parts(), late.parts());
        let object = object.trim_end_matches("/status");
        let done = if late.status == 201 { "made" } else { "changed" };
        let text = format!("{object} reports that it is ready before {child} is {done}");
        let found = suspicion(Oracle::Dishonest, Severity::Error, text, object.to_owned(), entry.step);
        Some(Suspicion { entry: Some(index), ..found })
    })
}

/// Returns true if the request creates a child of `owner`, or changes the child's `spec`.
fn makes_child(request: &Request, owner: &str) -> bool {
    let (_, object) = request.parts();
    let is_of_spec = |change: &String| change.starts_with("spec.");
    let is_object = object.split('/').count() == 2;
    let is_child = request.left.owners.iter().any(|uid| uid == owner);
    request.effective && is_object && is_child && (request.status == 201 || request.changes.iter().any(is_of_spec))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::plan::fault_plan::Step;
    use crate::explore::record::journal::{Event, WrittenObject};
    use serde_json::json;

    fn entry(millis: u64, request: &str, status: u16, changes: &[&str], left: WrittenObject) -> Entry {
        let changes = changes.iter().map(|change| (*change).to_owned()).collect();
        let (request, query) = (request.to_owned(), String::new());
        let request =
            Request { request, status, changes, effective: true, query, left, moved: true, ..Request::default() };
        Entry { at: Duration::from_millis(millis), step: Step::Create, event: Event::Request(request) }
    }

    fn web(ready: &str, observed: u32) -> WrittenObject {
        let condition = json!({"type": "Ready", "status": ready, "observedGeneration": observed});
        WrittenObject::of(&json!({"metadata": {"uid": "w", "generation": 2}, "status": {"conditions": [condition]}}))
    }

    fn child(owner: &str) -> WrittenObject {
        WrittenObject::of(&json!({"metadata": {"uid": "c", "ownerReferences": [{"uid": owner}]}}))
    }

    #[test]
    fn a_child_that_is_made_after_the_claim_is_one_too_late() {
        let claim = |left| entry(0, "patch:webs.e.com/w/status#1", 200, &["status.x: 1"], left);
        let made = |millis, left| entry(millis, "create:services/w#1", 201, &[], left);
        let changed = |change| entry(5, "patch:services/w#1", 200, &[change], child("w"));
        let found = claims(&[claim(web("True", 2)), made(5, child("w"))]).unwrap();
        assert_eq!(found.text, "webs.e.com/w reports that it is ready before services/w is made");
        assert!(claims(&[claim(web("True", 2)), changed("spec.type: \"x\"")]).is_some());
        let by = |manager: &str, mut entry: Entry| {
            if let Event::Request(request) = &mut entry.event {
                request.query = format!("fieldManager={manager}&force=true");
            }
            entry
        };
        let by_another = [by("web", claim(web("True", 2))), by("web%2Fother", made(5, child("w")))];
        let merged = [claim(web("True", 2)), by("web", made(5, child("w")))];
        assert!(claims(&merged).is_some(), "a merge patch need not name a field manager");
        for journal in [
            by_another.to_vec(),
            vec![made(0, child("w")), claim(web("True", 2))],
            vec![claim(web("False", 2)), made(5, child("w"))],
            vec![claim(web("True", 1)), made(5, child("w"))],
            vec![claim(web("True", 2)), made(5, child("other"))],
            vec![claim(web("True", 2)), made(1500, child("w"))],
            vec![claim(web("True", 2)), changed("metadata.labels.a: 1")],
        ] {
            assert_eq!(claims(&journal), None, "{journal:?}");
        }
        let whole = WrittenObject::of(&json!({"metadata": {"generation": 1}, "status": {
            "observedGeneration": 1, "conditions": [{"type": "Ready", "status": "True"}]}}));
        assert!(whole.is_ready);
    }
}
