//! A model of the API server: the objects that it stores, and its answers. It has neither a clock nor clients, so that
//! its users choose the order of events.

pub(crate) mod collector;
mod fields;
mod managers;
mod patch;
mod read;
mod request;
mod write;

pub(crate) use fields::is_empty;
pub(crate) use read::Watch;
pub(crate) use request::Request;

use managers::Manager;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug)]
pub(crate) struct Kind {
    pub group: &'static str,
    pub version: &'static str,
    pub plural: &'static str,
    pub kind: &'static str,
    /// True if a CRD defines the kind.
    pub custom: bool,
    /// True if the kind has the subresource `status`.
    pub status: bool,
    /// True if the generation of an object counts its changes.
    pub generation: bool,
    /// True if a replacement must have a resource version.
    pub versioned: bool,
    /// True if a replacement creates an object that does not exist.
    pub upserts: bool,
}

const fn kind(group: &'static str, version: &'static str, plural: &'static str, kind: &'static str) -> Kind {
    Kind {
        group,
        version,
        plural,
        kind,
        custom: false,
        status: false,
        generation: false,
        versioned: false,
        upserts: false,
    }
}

const fn custom(plural: &'static str, kind: &'static str) -> Kind {
    let built_in = self::kind("example.com", "v1", plural, kind);
    Kind { custom: true, status: true, generation: true, versioned: true, ..built_in }
}

pub(crate) static KINDS: [Kind; 6] = [
    custom("webs", "Web"),
    kind("", "v1", "configmaps", "ConfigMap"),
    Kind { upserts: true, ..kind("rbac.authorization.k8s.io", "v1", "roles", "Role") },
    Kind { versioned: true, upserts: true, ..kind("coordination.k8s.io", "v1", "leases", "Lease") },
    kind("events.k8s.io", "v1", "events", "Event"),
    custom("pages", "Page"),
];

impl Kind {
    pub(crate) fn api_version(&self) -> String {
        match self.group {
            "" => self.version.to_owned(),
            group => format!("{group}/{}", self.version),
        }
    }
}

/// The identity of an object: the plural of its kind, its namespace and its name.
pub(crate) type Id = (&'static str, String, String);

#[derive(Clone, Debug, PartialEq)]
struct Stored {
    /// The object without managedFields.
    object: Value,
    managers: Vec<Manager>,
    /// True if an apply has left a null in the place of a map. Clients do not see the null, and the next write drops
    /// it, which is a new version even if nothing else changes.
    null: bool,
}

/// A change of an object, as watches report it.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub version: u64,
    pub id: Id,
    pub old: Option<Arc<Value>>,
    pub new: Option<Arc<Value>>,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub code: u16,
    pub body: Value,
}

#[derive(Clone, Default)]
pub(crate) struct Server {
    version: u64,
    uids: u64,
    /// The oldest version that can still be watched or listed.
    compacted: u64,
    stored: BTreeMap<Id, Stored>,
    /// The stored objects as clients get them.
    shown: BTreeMap<Id, Arc<Value>>,
    pub history: Vec<Change>,
    /// The largest number of objects on a page, whatever a client asks for.
    pub page: Option<usize>,
}

impl Server {
    /// Answers any request but a watch, and changes the stored objects accordingly.
    pub(crate) fn answer(&mut self, request: &Request) -> Answer {
        let answered = match (&request.method[..], &request.name) {
            ("GET", None) => self.list(request),
            ("GET", Some(_)) => self
                .get(&request.id())
                .ok_or_else(|| Refusal::not_found(request))
                .map(|object| (200, (*object).clone())),
            ("POST", _) => self.create(request),
            ("PUT", _) => self.replace(request),
            ("PATCH", _) => self.patch(request),
            ("DELETE", _) => self.delete(request),
            (method, _) => panic!("the model has no {method}"),
        };
        match answered {
            Ok((code, body)) => Answer { code, body },
            Err(refusal) => refusal.answer(),
        }
    }

    /// Returns the object as clients get it.
    pub(crate) fn get(&self, id: &Id) -> Option<Arc<Value>> {
        self.shown.get(id).cloned()
    }

    /// Returns all objects of a kind.
    pub(crate) fn all(&self, plural: &str) -> Vec<Arc<Value>> {
        let of_kind = self.shown.iter().filter(|((kind, ..), _)| *kind == plural);
        of_kind.map(|(_, object)| object.clone()).collect()
    }

    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Forgets all versions but the current one.
    pub(crate) fn compact(&mut self) {
        self.compacted = self.version;
    }

    /// Stores the new state of an object. An object that is being deleted is removed once it has no finalizer.
    fn commit(&mut self, kind: &Kind, id: Id, new: Stored) -> Arc<Value> {
        let old = self.stored.get(&id).cloned();
        if old.as_ref() == Some(&new) {
            return self.shown[&id].clone();
        }
        self.version += 1;
        let mut new = new;
        let metadata = &mut new.object["metadata"];
        metadata["resourceVersion"] = self.version.to_string().into();
        let gone = !metadata["deletionTimestamp"].is_null() && is_empty(&metadata["finalizers"]);
        if kind.generation {
            let meant = |object: &Value| {
                let mut object = object.clone();
                object["metadata"] = object["metadata"]["deletionTimestamp"].clone();
                object.as_object_mut().unwrap().remove("status");
                object
            };
            let before = old.as_ref().map_or(0, |old| old.object["metadata"]["generation"].as_i64().unwrap_or(0));
            let changed = old.as_ref().is_none_or(|old| meant(&old.object) != meant(&new.object));
            new.object["metadata"]["generation"] = (before + i64::from(changed)).into();
        }
        let shown = new.shown();
        let change = Change {
            version: self.version,
            id: id.clone(),
            old: self.shown.get(&id).cloned(),
            new: (!gone).then(|| shown.clone()),
        };
        self.history.push(change);
        if gone {
            // The answer is the object as it would have been stored, but with its previous version.
            let mut last = (*shown).clone();
            if let Some(old) = self.stored.remove(&id) {
                last["metadata"]["resourceVersion"] = old.object["metadata"]["resourceVersion"].clone();
            }
            self.shown.remove(&id);
            return Arc::new(last);
        }
        self.shown.insert(id.clone(), shown.clone());
        self.stored.insert(id, new);
        shown
    }
}

impl Stored {
    fn shown(&self) -> Arc<Value> {
        let mut object = self.object.clone();
        if !self.managers.is_empty() {
            object["metadata"]["managedFields"] = managers::shown(&self.managers);
        }
        Arc::new(object)
    }
}

impl Request {
    pub(crate) fn id(&self) -> Id {
        let named = self.body["metadata"]["name"].as_str().unwrap_or_default();
        let name = self.name.as_deref().unwrap_or(named);
        (self.kind.plural, self.namespace.clone().unwrap_or_default(), name.to_owned())
    }
}

/// The reason why a request is refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    code: u16,
    reason: &'static str,
    message: String,
    /// The name of the object that was not found.
    name: Option<String>,
}

impl Refusal {
    fn not_found(request: &Request) -> Self {
        let Kind { plural, group, .. } = request.kind;
        let (_, _, name) = request.id();
        let message = format!("{plural}.{group} \"{name}\" not found");
        Self { name: Some(name), ..Self::new(404, "NotFound", &message) }
    }

    fn new(code: u16, reason: &'static str, message: &str) -> Self {
        Self { code, reason, message: message.to_owned(), name: None }
    }

    fn conflict(why: &str) -> Self {
        Self::new(409, "Conflict", why)
    }

    fn invalid(why: &str) -> Self {
        Self::new(422, "Invalid", why)
    }

    pub(crate) fn expired() -> Self {
        Self::new(410, "Expired", "too old resource version")
    }

    pub(crate) fn answer(self) -> Answer {
        let Self { code, reason, message, name } = self;
        let body = json!({
            "apiVersion": "v1", "kind": "Status", "metadata": {}, "status": "Failure",
            "code": code, "reason": reason, "message": message, "details": name.map(|name| json!({ "name": name })),
        });
        Answer { code, body }
    }
}

/// A status code and a body, or a refusal.
type Answered = Result<(u16, Value), Refusal>;
