//! The journal of a run: its events in order.

use crate::explore::plan::fault_plan::Step;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

/// The mark after a displayed name that differs from run to run.
pub const VARIES: &str = "~";

/// The message of the API server for a JSON patch that cannot be applied to the object.
const LOCKED: &str = "the server rejected our request due to an error in our request";

/// The maximum number of characters of the displayed changes of a write; the first two changes are always
/// displayed.
const COLUMNS: usize = 60;

/// A request of the operator and its response.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the JSON of `explore` has this name")]
pub struct Request {
    /// The request in the notation of fault plans, with its ordinal number among the equal requests of the step, such
    /// as `patch:services/web#1`.
    pub request: String,
    /// The resource and the actual name of the object, such as `secrets/a-17`; `None` unless the name differs from run
    /// to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named: Option<String>,
    /// True if the second replica of the operator sent the request. Only runs of the class `hand-over` have a second
    /// replica.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub standby: bool,
    /// The HTTP status of the response.
    pub status: u16,
    /// The fields that a write changed; empty for a write without effect, or if the changes are not known.
    pub changes: Vec<String>,
    /// False for a read, and for a write that changed nothing.
    pub effective: bool,
    /// True if the resource version after a write differs from the resource version that the operator knew.
    #[serde(skip)]
    pub moved: bool,
    /// The query string of the request's URL.
    #[serde(skip)]
    pub query: String,
    /// The state of the object after a write.
    #[serde(skip)]
    pub left: WrittenObject,
}

/// The parts of a written object that the oracles need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenObject {
    pub uid: String,
    /// The UIDs of the object's owners.
    pub owners: Vec<String>,
    /// True if the condition `Ready` is `True` for the current generation.
    pub is_ready: bool,
    /// The resources, such as `jobs.batch`, of the objects that the operator last saw unhealthy before it wrote a
    /// status that claims that the written object works. Such a claim is too early. Empty if the written status makes
    /// no such claim.
    pub claims_early: BTreeSet<String>,
    /// The message of the API server, if it refused the write.
    pub refusal: String,
}

impl WrittenObject {
    pub fn of(object: &Value) -> WrittenObject {
        let uid = |of: &Value| of["uid"].as_str().unwrap_or_default().to_owned();
        let list = |of: &Value| of.as_array().cloned().unwrap_or_default();
        let (metadata, status) = (&object["metadata"], &object["status"]);
        let claims = |condition: &Value| {
            let of = condition.get("observedGeneration").unwrap_or(&status["observedGeneration"]);
            condition["type"] == "Ready" && condition["status"] == "True" && *of == metadata["generation"]
        };
        let refusal = if object["kind"] == "Status" { object["message"].as_str() } else { None };
        WrittenObject {
            refusal: refusal.unwrap_or_default().to_owned(),
            claims_early: BTreeSet::new(),
            // A deletion that is done at once is answered with a status.
            uid: if metadata["uid"].is_string() { uid(metadata) } else { uid(&object["details"]) },
            owners: list(&metadata["ownerReferences"]).iter().map(uid).collect(),
            is_ready: metadata["generation"].is_u64() && list(&status["conditions"]).iter().any(claims),
        }
    }
}

/// An event of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Event {
    /// The operator sent a request and got a response.
    Request(Request),
    /// A watch sent an event to the operator, such as `MODIFIED services/web`.
    Told(String),
    /// The user changed something.
    User(String),
    /// opctl injected a fault, or ended a fault.
    Fault(String),
    /// The operator was started, or its process ended.
    Operator(String),
    /// A number of events that are left out of the timeline.
    Skipped(usize),
}

/// An event with its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The time since the run began.
    #[serde(serialize_with = "seconds")]
    pub at: Duration,
    /// The step in which the event happened.
    pub step: Step,
    /// The event that the journal records.
    pub event: Event,
}

fn seconds<S: serde::Serializer>(at: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((at.as_secs_f64() * 1000.0).round() / 1000.0)
}

impl Entry {
    /// Returns the request if the entry records a request.
    pub fn request(&self) -> Option<&Request> {
        match &self.event {
            Event::Request(request) => Some(request),
            _ => None,
        }
    }
}

impl Request {
    /// Returns true if the API server refused the request as invalid. A JSON patch with a failed `test` is not invalid:
    /// the `test` is an optimistic lock, as in kube's `finalizer`.
    pub fn is_invalid(&self) -> bool {
        [400, 422].contains(&self.status) && !self.left.refusal.starts_with(LOCKED)
    }

    /// Returns true if the API server denied the request because the operator lacks a right, and not because the
    /// namespace is being deleted: both answers have the status 403.
    pub fn is_denied(&self) -> bool {
        self.status == 403 && !self.left.refusal.contains("because it is being terminated")
    }

    /// Returns true if the API server refused to create an object because another object already has a value that
    /// must be unique, such as a node port.
    pub fn is_taken(&self) -> bool {
        let (refusal, (verb, _)) = (&self.left.refusal, self.parts());
        let needs = refusal.contains("already allocated") || refusal.contains("already in use");
        ["create", "patch"].contains(&verb) && [409, 422].contains(&self.status) && needs
    }

    /// Returns true if the request created an object of `resource`.
    pub fn makes(&self, resource: &str) -> bool {
        self.status == 201 && self.parts().1.split('/').next() == Some(resource)
    }

    /// Returns the field manager in the query string of a write; `None` if the query string names no field manager.
    pub fn field_manager(&self) -> Option<&str> {
        self.query.split('&').find_map(|pair| pair.strip_prefix("fieldManager="))
    }

    /// Returns the verb and the object, such as `create` and `services/web`.
    pub fn parts(&self) -> (&str, &str) {
        let request = self.request.rsplit_once('#').map_or(self.request.as_str(), |(request, _)| request);
        request.split_once(':').unwrap_or((request, ""))
    }
}

/// Returns a text with the changes that fit into [`COLUMNS`] and the number of further changes.
fn list_changes(changes: &[String]) -> String {
    let mut text = String::new();
    for (index, change) in changes.iter().enumerate() {
        let left = changes.len() - index;
        if index > 1 && left > 1 && text.chars().count() + change.chars().count() > COLUMNS {
            return format!("{text} and {left} more");
        }
        text += if index == 0 { "" } else { ", " };
        text += change;
    }
    text
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:8.3}  ", self.at.as_secs_f64())?;
        match &self.event {
            Event::Request(request) => {
                let (verb, object) = request.parts();
                let object = request.named.as_ref().map_or(object.to_owned(), |named| format!("{named}{VARIES}"));
                let sender = if request.standby { "replica 2" } else { "operator" };
                write!(f, "{sender:<9} {verb:<7} {object}  {}", request.status)?;
                if !request.changes.is_empty() {
                    write!(f, "   {}", list_changes(&request.changes))?;
                }
                Ok(())
            }
            Event::Told(text) => write!(f, "watch     {text}"),
            Event::User(text) => write!(f, "user      {text}"),
            Event::Fault(text) => write!(f, "FAULT     {text}"),
            Event::Operator(text) => write!(f, "operator  {text}"),
            Event::Skipped(number) => write!(f, "          and {number} more events"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_a_write_are_listed_as_far_as_there_is_room() {
        let long = "spec.template.spec.containers[name=web].image: \"web:2\"";
        for (changes, expected) in [
            (&["a: 1"][..], "a: 1".to_owned()),
            (&["a: 1", "b: 1", "c: 1", "d: 1"], "a: 1, b: 1, c: 1, d: 1".to_owned()),
            (&[long, long, "c: 1", "d: 1"], format!("{long}, {long} and 2 more")),
            (&["a: 1", "b: 1", long, "d: 1"], "a: 1, b: 1 and 2 more".to_owned()),
            (&[long, long, "c: 1"], format!("{long}, {long}, c: 1")),
        ] {
            let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
            assert_eq!(list_changes(&changes), expected);
        }
    }
}
