//! The oracle for values that an operator generates only once, such as a password. Such values differ between equal
//! runs, so they are not compared with a reference; but they must not change within a run.

use super::super::suspicion::{Oracle, Severity, Suspicion, suspicion};
use crate::explore::plan::fault_plan::{Class, Plan, Step};
use crate::explore::record::journal::{Entry, Request};
use crate::explore::run::reference::Reference;
use crate::explore::run::steps::Outcome;
use std::collections::BTreeSet;

/// The classes of faults after which generated values are not checked. A fault of these classes removes an object: a
/// new object has new values, and other objects may contain data from these values, such as a checksum of a password.
const REMOVES: [Class; 4] = [Class::DeleteChild, Class::DeleteUnseen, Class::Lease, Class::Abandon];

/// Returns a suspicion if the operator changes a value that it should generate only once, such as a password. `samples`
/// are the resources of the samples, the objects that opctl creates to test the operator. Ignores values in the
/// samples, and steps in which the user changes an existing sample.
pub(super) fn values(
    plan: &Plan,
    outcome: &Outcome,
    reference: &Reference,
    samples: &BTreeSet<String>,
) -> Option<Suspicion> {
    if REMOVES.contains(&plan.class) {
        return None;
    }
    let usual: BTreeSet<(String, String)> =
        reference.journals.iter().flat_map(|journal| changed_fields(journal)).collect();
    let new = |request: &Request| {
        let (_, object) = request.parts();
        let (resource, _) = object.split_once('/')?;
        let mut fields = request.changes.iter().filter_map(|change| field(change));
        let is_made = |field: &&str| {
            let name = (resource.to_owned(), (*field).to_owned());
            reference.masks.has(resource, field) && !usual.contains(&name) && !samples.contains(resource)
        };
        let field = fields.find(is_made)?;
        Some((object.to_owned(), field.to_owned()))
    };
    let writes = outcome.journal.iter().enumerate().filter(|(_, entry)| is_without_change(entry));
    let mut found = writes.filter_map(|(index, entry)| Some((index, new(entry.request()?)?)));
    let (index, (object, field)) = found.next()?;
    let text = format!("the operator changes {object} .{field}, a value that it generated earlier");
    let found = suspicion(Oracle::Rotated, Severity::Error, text, format!("{object} .{field}"), plan.step);
    Some(Suspicion { entry: Some(index), ..found })
}

/// Returns true if the journal entry belongs to a step of the scenario in which the user changes no existing
/// sample.
fn is_without_change(entry: &Entry) -> bool {
    matches!(entry.step, Step::Create | Step::Recreate)
}

/// Returns the resources and fields that the writes in the journal change.
fn changed_fields(journal: &[Entry]) -> Vec<(String, String)> {
    let requests = journal.iter().filter_map(Entry::request);
    let fields = requests.flat_map(|request| {
        let resource = request.parts().1.split('/').next().unwrap_or_default();
        request.changes.iter().filter_map(move |change| Some((resource.to_owned(), field(change)?.to_owned())))
    });
    fields.collect()
}

/// Returns the field that `change`, such as `spec.image: "web:2"`, sets. Returns `None` for a removed field, for a
/// field of the status, and for a field that is set to a number. Such a number may be a time or the version of another
/// object, and not a value that the operator should generate only once.
fn field(change: &str) -> Option<&str> {
    let (field, value) = change.split_once(": ")?;
    let digits = value.trim_matches('"');
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    (!is_number && !field.starts_with("status.")).then_some(field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::record::journal::Event;
    use crate::explore::record::state::State;
    use serde_json::json;
    use std::time::Duration;

    fn write(step: Step, object: &str, status: u16, changes: &[&str]) -> Entry {
        let request = Request {
            request: format!("patch:{object}#1"),
            status,
            changes: changes.iter().map(|change| (*change).to_owned()).collect(),
            effective: true,
            ..Request::default()
        };
        Entry { at: Duration::ZERO, step, event: Event::Request(request) }
    }

    #[test]
    fn a_value_that_is_made_once_stays() {
        let run = |password: &str, beat: &str| {
            let data = json!({"password": password, "beat": beat, "fixed": "a"});
            let secret = json!({"metadata": {"name": "key"}, "data": data});
            let state = State::of("a", &[("secrets".to_owned(), vec![secret])]);
            let beats = write(Step::Create, "secrets/key", 200, &["data.beat: \"b\""]);
            (vec![(Step::Create, state, Duration::ZERO)], vec![beats])
        };
        let reference = Reference::of([run("p", "x"), run("q", "y")]);
        let strip = "strip-labels:secrets/key@create";
        let samples = BTreeSet::from(["webs.e.com".to_owned()]);
        let password = &["metadata.labels.app: \"a\"", "data.password: \"r\""][..];
        for (plan, step, object, changes, expected) in [
            (strip, Step::Create, "secrets/key", password, true),
            ("delete-child:secrets/other@create", Step::Create, "secrets/key", password, false),
            (strip, Step::Change, "secrets/key", password, false),
            (strip, Step::Create, "secrets/key", &["data.beat: \"c\""], false),
            (strip, Step::Create, "secrets/key", &["data.fixed: \"c\""], false),
            (strip, Step::Create, "secrets/key", &["without data.password"], false),
            (strip, Step::Create, "secrets/key", &["data.password: \"178\""], false),
            (strip, Step::Create, "configmaps/key", password, false),
        ] {
            let plan: Plan = plan.parse().unwrap();
            let journal = vec![write(step, object, 200, changes)];
            let found = values(&plan, &Outcome { journal, ..Outcome::default() }, &reference, &samples);
            assert_eq!(found.is_some(), expected, "{plan} {step:?} {object} {changes:?}");
            let text = "the operator changes secrets/key .data.password, a value that it generated earlier";
            assert!(found.is_none_or(|found| found.text == text && found.entry == Some(0)));
        }
    }
}
