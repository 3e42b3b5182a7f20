//! Lists in pages, and watches.

use super::{Answered, Change, Id, Refusal, Request, Server};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Server {
    /// Returns a page of the objects, at the version at which the list began.
    pub(super) fn list(&self, request: &Request) -> Answered {
        let (version, after) = match request.asks("continue").and_then(|token| token.split_once(' ')) {
            Some((version, after)) => (version.parse().unwrap_or(0), after),
            None => (self.version, ""),
        };
        if version < self.compacted {
            return Err(Refusal::expired());
        }
        let objects = self.at(version);
        let chosen = objects.iter().filter(|(id, object)| selects(request, id, object));
        let rest: Vec<_> = chosen.filter(|(id, _)| place(id).as_str() > after).collect();
        let asked = request.asks("limit").and_then(|limit| limit.parse().ok());
        let limit = asked.into_iter().chain(self.page).min().unwrap_or(usize::MAX);
        let page: Vec<Value> = rest.iter().take(limit).map(|(_, object)| Value::clone(object)).collect();
        let mut metadata = json!({ "resourceVersion": version.to_string() });
        if let (true, Some((last, _))) = (rest.len() > limit, rest.get(limit.wrapping_sub(1))) {
            metadata["continue"] = format!("{version} {}", place(last)).into();
        }
        let kind = format!("{}List", request.kind.kind);
        let list = json!({
            "apiVersion": request.kind.api_version(), "kind": kind, "metadata": metadata, "items": page,
        });
        Ok((200, list))
    }

    /// Returns all objects as they were at a version.
    fn at(&self, version: u64) -> BTreeMap<Id, Arc<Value>> {
        if version == self.version {
            return self.shown.clone();
        }
        let mut objects = BTreeMap::new();
        for change in self.history.iter().take_while(|change| change.version <= version) {
            match &change.new {
                Some(new) => drop(objects.insert(change.id.clone(), new.clone())),
                None => drop(objects.remove(&change.id)),
            }
        }
        objects
    }
}

fn place(id: &Id) -> String {
    format!("{}/{}", id.1, id.2)
}

fn selects(request: &Request, id: &Id, object: &Value) -> bool {
    let labels = request.asks("labelSelector").into_iter().flat_map(|selector| selector.split(','));
    let mut labels = labels.filter_map(|label| label.split_once('='));
    let name = request.asks("fieldSelector").and_then(|fields| fields.strip_prefix("metadata.name="));
    id.0 == request.kind.plural
        && request.namespace.as_ref().is_none_or(|namespace| *namespace == id.1)
        && name.is_none_or(|name| name == id.2)
        && labels.all(|(label, value)| object["metadata"]["labels"][label] == value)
}

/// A watch, and the version up to which its events were sent.
#[derive(Debug)]
pub(crate) struct Watch {
    pub request: Request,
    pub told: u64,
}

impl Watch {
    /// Starts at the version in the request. Fails with an `ERROR` event if the server has forgotten the version.
    pub(crate) fn start(server: &Server, request: Request) -> Result<Self, Value> {
        let told = request.asks("resourceVersion").and_then(|version| version.parse().ok()).unwrap_or(0);
        if told < server.compacted || told > server.version {
            return Err(json!({ "type": "ERROR", "object": Refusal::expired().answer().body }));
        }
        Ok(Self { request, told })
    }

    /// Returns the next event as its object and type, and the version up to which all events are sent after it.
    pub(crate) fn next(&self, server: &Server) -> Option<(Value, &'static str, u64)> {
        let (object, type_, version) = self.coming(server)?;
        let mut object = (**object).clone();
        object["metadata"]["resourceVersion"] = version.to_string().into();
        Some((object, type_, version))
    }

    /// Returns true if there is an event to send.
    pub(crate) fn is_behind(&self, server: &Server) -> bool {
        self.coming(server).is_some()
    }

    fn coming<'a>(&self, server: &'a Server) -> Option<(&'a Arc<Value>, &'static str, u64)> {
        let first = server.history.partition_point(|change| change.version <= self.told);
        server.history[first..].iter().find_map(|change| {
            let (object, type_) = self.event(change)?;
            Some((object, type_, change.version))
        })
    }

    fn event<'a>(&self, change: &'a Change) -> Option<(&'a Arc<Value>, &'static str)> {
        let chosen = |object: &&Arc<Value>| selects(&self.request, &change.id, object);
        let (old, new) = (change.old.as_ref().filter(chosen), change.new.as_ref().filter(chosen));
        match (old, new) {
            (None, Some(new)) => Some((new, "ADDED")),
            (Some(_), Some(new)) => Some((new, "MODIFIED")),
            // The event has the object as the watch selected it last.
            (Some(old), None) => Some((old, "DELETED")),
            (None, None) => None,
        }
    }

    /// Returns a version up to which all events were sent.
    pub(crate) fn bookmark(&self, server: &Server) -> u64 {
        self.coming(server).map_or(server.version(), |(_, _, version)| version - 1).max(self.told)
    }
}
