//! The events of a run, in their order.

use super::plan::Step;
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use std::time::Duration;

/// A request of the operator and its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// The request as a plan names it, with the number of those that look like it in this step.
    pub request: String,
    /// The status of the answer.
    pub status: u16,
    /// The fields that a write changed; empty for a write without effect.
    pub changes: Vec<String>,
    /// False for a read, and for a write that changed nothing.
    pub effective: bool,
    /// True if the version after a write is another than the operator knew.
    #[serde(skip)]
    pub(super) moved: bool,
    /// The part behind the question mark.
    #[serde(skip)]
    pub(super) query: String,
    /// The state of the object after a write.
    #[serde(skip)]
    pub(super) left: Left,
}

/// An object as a write left it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Left {
    pub(super) uid: String,
    /// The uids of its owners.
    pub(super) owners: Vec<String>,
    /// Its condition `Ready` is `True`, for its current generation.
    pub(super) is_ready: bool,
}

impl Left {
    pub(super) fn of(object: &Value) -> Left {
        let uid = |of: &Value| of["uid"].as_str().unwrap_or_default().to_owned();
        let list = |of: &Value| of.as_array().cloned().unwrap_or_default();
        let (metadata, status) = (&object["metadata"], &object["status"]);
        let claims = |condition: &Value| {
            let of = condition.get("observedGeneration").unwrap_or(&status["observedGeneration"]);
            condition["type"] == "Ready" && condition["status"] == "True" && *of == metadata["generation"]
        };
        Left {
            uid: uid(metadata),
            owners: list(&metadata["ownerReferences"]).iter().map(uid).collect(),
            is_ready: metadata["generation"].is_u64() && list(&status["conditions"]).iter().any(claims),
        }
    }
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Event {
    /// The operator asked, and got an answer.
    Request(Request),
    /// A watch told the operator of a change, such as `MODIFIED services/web`.
    Told(String),
    /// The user did something.
    User(String),
    /// opctl brought about a fault, or ended one.
    Fault(String),
    /// The operator was started, or ended.
    Operator(String),
}

/// An event with its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Seconds since the run began.
    #[serde(serialize_with = "seconds")]
    pub at: Duration,
    /// The step.
    pub step: Step,
    /// The event.
    pub event: Event,
}

fn seconds<S: serde::Serializer>(at: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((at.as_secs_f64() * 1000.0).round() / 1000.0)
}

impl Entry {
    /// The request, if it is one.
    pub(super) fn request(&self) -> Option<&Request> {
        match &self.event {
            Event::Request(request) => Some(request),
            _ => None,
        }
    }
}

impl Request {
    /// True if the API server refuses what the operator wrote.
    pub(super) fn is_invalid(&self) -> bool {
        [400, 422].contains(&self.status)
    }

    /// The field manager that a write names.
    pub(super) fn field_manager(&self) -> Option<&str> {
        self.query.split('&').find_map(|pair| pair.strip_prefix("fieldManager="))
    }

    /// The verb and the object: `create` and `services/web`.
    pub(super) fn parts(&self) -> (&str, &str) {
        let request = self.request.rsplit_once('#').map_or(self.request.as_str(), |(request, _)| request);
        request.split_once(':').unwrap_or((request, ""))
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:8.3}  ", self.at.as_secs_f64())?;
        match &self.event {
            Event::Request(request) => {
                let (verb, object) = request.parts();
                write!(f, "operator  {verb:<7} {object}  {}", request.status)?;
                match request.changes.as_slice() {
                    [] => Ok(()),
                    [first, second, rest @ ..] if rest.len() > 1 => {
                        write!(f, "   {first}, {second} and {} more", rest.len())
                    }
                    few => write!(f, "   {}", few.join(", ")),
                }
            }
            Event::Told(text) => write!(f, "watch     {text}"),
            Event::User(text) => write!(f, "user      {text}"),
            Event::Fault(text) => write!(f, "FAULT     {text}"),
            Event::Operator(text) => write!(f, "operator  {text}"),
        }
    }
}
