//! Records the events of a run: the operator's requests, its watch events, the user's actions and the faults.

use super::Gate;
use crate::explore::record::call::Call;
use crate::explore::record::journal::{Entry, Event};
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Instant;

impl Gate {
    /// Adds an event to the journal.
    pub fn note(&self, event: Event) {
        let at = self.begun.elapsed();
        let mut inner = self.inner();
        let step = inner.step;
        inner.journal.push(Entry { at, step, event });
    }

    /// Returns true once the operator has sent a request.
    pub fn was_asked(&self) -> bool {
        self.inner().journal.iter().any(|entry| entry.request().is_some())
    }

    /// Returns true once the second replica of the operator has sent a request in this step.
    pub fn was_asked_by_standby(&self) -> bool {
        self.inner().counts.keys().any(|(is_standby, _)| *is_standby)
    }

    /// Returns the requests for leases and events that were denied, without the names of the objects.
    pub fn denied_requests(&self) -> BTreeSet<String> {
        self.inner().denied.clone()
    }

    /// Returns the journal so far: the operator's requests, its watch events, the user's actions and the faults.
    pub fn journal(&self) -> Vec<Entry> {
        self.inner().journal.clone()
    }

    /// Returns the number of journal entries so far.
    pub fn entries(&self) -> usize {
        self.inner().journal.len()
    }

    /// Returns the resource and the name of the object of `call`, if its name differs from run to run.
    pub(super) fn varying(&self, call: &Call, body: &Value) -> Option<String> {
        match (call.object().contains('*'), body["metadata"]["name"].as_str()) {
            (true, Some(name)) => Some(format!("{}/{name}", call.collection())),
            _ => self.names.varying(call.to_string().split_once(':')?.1),
        }
    }

    /// Records the objects in a response that the operator reads: one object, or the objects of a list.
    pub fn read(&self, collection: &str, body: &Value) {
        let mut inner = self.inner();
        let one = std::slice::from_ref(body);
        // The API server may send null as the items of an empty list, which has no name.
        for object in body["items"].as_array().map_or(one, Vec::as_slice) {
            if let Some(name) = object["metadata"]["name"].as_str() {
                inner.seen.see(&format!("{collection}/{name}"), object);
            }
        }
    }

    /// Records an event that a watch sends to the operator.
    pub fn record_event(&self, collection: &str, kind: &str, object: &Value) {
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        let mut inner = self.inner();
        inner.active = Instant::now();
        inner.know(format!("{collection}/{name}"), object);
        if kind == "DELETED" {
            inner.seen.lose(&format!("{collection}/{name}"), object);
        }
        drop(inner);
        self.note(Event::Told(format!("{kind} {collection}/{name}")));
    }
}
