//! The rules about what each process knows. After a process has received a deletion, it writes nothing for the
//! deleted object. After it has received a change, or after a failed pass, a pass begins in time.

use crate::across;
use crate::model::Request;
use crate::operator::FINALIZERS;
use crate::passes::{Log, Pass};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tokio::time::Instant;

/// The time limit for the start of the next pass, once a change was received and the previous pass has ended. Up to
/// ten seconds of it are for reporting a failure of the previous pass.
const SOON: Duration = Duration::from_secs(15);
/// The time limit for the retry of a failed pass: the ten seconds for reporting the failure, and the longest delay
/// of twenty seconds plus 10 %.
const RETRY: Duration = Duration::from_secs(40);

/// The time limit for deleting children of deleted owners before a pass.
const LIMIT: Duration = Duration::from_secs(10);

/// An object as a process knows it: the process, the plural of the kind and the name.
type About = (usize, &'static str, String);

#[derive(Default)]
pub(crate) struct Knowledge {
    /// True if the operator adds a finalizer to an object before the object's first pass. Adding it may take long.
    pub finalizer: bool,
    /// True if the operator may request the owner of a child from the API server before a pass. The answer may take long.
    pub asks_for_owners: bool,
    /// The time at which each process last requested each owner from the API server. A pass may wait for the answer.
    asked: BTreeMap<About, Instant>,
    /// The uids of all objects that have had the same name, for each name of a reconciled kind.
    uids: BTreeMap<(&'static str, String), BTreeSet<String>>,
    /// The uids of the objects that each process has received.
    known: BTreeSet<(usize, String)>,
    /// The uids of objects that each process knows to be gone or being deleted. The value is the sequence number of
    /// the answer that showed this to the process.
    dead: BTreeMap<(usize, String), usize>,
    /// The objects that each process knows to exist, with the version and the time of the last change by others.
    there: BTreeMap<About, Option<(u64, Instant)>>,
    /// The versions of reconciled objects that the operators' own writes have made.
    own: BTreeSet<u64>,
}

fn is_reconciled(plural: &str) -> bool {
    matches!(plural, "webs" | "pages")
}

fn uid(object: &Value) -> &str {
    object["metadata"]["uid"].as_str().unwrap_or_default()
}

fn version(object: &Value) -> u64 {
    object["metadata"]["resourceVersion"].as_str().and_then(|version| version.parse().ok()).unwrap_or_default()
}

/// Returns the name of the object if the request lists a single object by its name.
fn asked_for(request: &Request) -> Option<&str> {
    request.asks("fieldSelector").and_then(|field| field.strip_prefix("metadata.name="))
}

fn is_deleted(object: &Value) -> bool {
    !object["metadata"]["deletionTimestamp"].is_null()
}

impl Knowledge {
    /// Records the uid of an object that exists.
    pub(crate) fn exists(&mut self, plural: &'static str, object: &Value) {
        let name = object["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        self.uids.entry((plural, name)).or_default().insert(uid(object).to_owned());
    }

    /// Records the version that an operator's own write has made.
    pub(crate) fn written(&mut self, request: &Request, version: u64) {
        if is_reconciled(request.kind.plural) {
            self.own.insert(version);
        }
    }

    /// Records a request that a process has sent.
    pub(crate) fn sent(&mut self, sender: usize, request: &Request) {
        if let Some(name) = asked_for(request).filter(|_| self.asks_for_owners) {
            self.asked.insert((sender, request.kind.plural, name.to_owned()), Instant::now());
        }
    }

    /// Records what an answer shows to a process. `number` is the sequence number of the answer.
    pub(crate) fn answered(&mut self, sender: usize, request: &Request, code: u16, body: &Value, number: usize) {
        let plural = request.kind.plural;
        if !is_reconciled(plural) {
            return;
        }
        match (&*request.method, asked_for(request), &request.name) {
            ("GET", Some(name), _) => self.dead_but(sender, plural, name, &body["items"][0], number),
            ("GET", None, None) if code == 200 => {
                if request.asks("continue").is_none() {
                    self.there.retain(|(of, kind, _), _| (*of, *kind) != (sender, plural));
                }
                for object in body["items"].as_array().into_iter().flatten() {
                    self.is_there(sender, plural, object, None);
                }
            }
            ("PATCH", _, Some(name)) if code == 404 && request.subresource == "status" => {
                self.dead_but(sender, plural, name, &Value::Null, number);
            }
            ("PATCH", _, Some(name)) if code < 300 && is_deleted(body) => {
                self.dead_but(sender, plural, name, body, number);
            }
            _ => {}
        }
    }

    /// Records that a process knows all objects of this name to be gone, except the object `left`.
    fn dead_but(&mut self, sender: usize, plural: &'static str, name: &str, left: &Value, number: usize) {
        for one in self.uids.get(&(plural, name.to_owned())).into_iter().flatten() {
            let is_known = self.known.contains(&(sender, one.clone()));
            if is_known && (one != uid(left) || is_deleted(left)) {
                self.dead.entry((sender, one.clone())).or_insert(number);
            }
        }
        self.there.remove(&(sender, plural, name.to_owned()));
    }

    /// Records what a watch event shows to a process.
    pub(crate) fn told(&mut self, sender: usize, plural: &'static str, type_: &str, object: &Value) {
        if !is_reconciled(plural) {
            return;
        }
        if type_ == "DELETED" {
            let name = object["metadata"]["name"].as_str().unwrap_or_default().to_owned();
            self.there.remove(&(sender, plural, name));
        } else {
            let change = (version(object), Instant::now());
            self.is_there(sender, plural, object, Some(change).filter(|(version, _)| !self.own.contains(version)));
        }
    }

    fn is_there(&mut self, sender: usize, plural: &'static str, object: &Value, change: Option<(u64, Instant)>) {
        let about = (sender, plural, object["metadata"]["name"].as_str().unwrap_or_default().to_owned());
        self.known.insert((sender, uid(object).to_owned()));
        let held = object["metadata"]["finalizers"].as_array().map_or(0, Vec::len);
        let lacks_finalizer = self.finalizer && held < FINALIZERS.len();
        // What does not fit its Rust type waits for an edit.
        let fits = object["spec"]["value"].is_i64() && object["spec"]["pause"].is_null();
        // A watch that lags tells of earlier versions of an object whose deletion an answer has shown.
        let is_dead = self.dead.contains_key(&(sender, uid(object).to_owned()));
        if is_deleted(object) || is_dead || lacks_finalizer || !fits {
            self.there.remove(&about);
        } else {
            let known = self.there.entry(about).or_default();
            *known = change.or(*known);
        }
    }

    /// Returns the violation in an operator's write, if any. `sent` is the number of answers sent before the write.
    pub(crate) fn wrong(&self, sender: usize, request: &Request, sent: usize) -> Option<String> {
        let owner = across::owner(&request.body);
        let told = self.dead.get(&(sender, owner.as_str()?.to_owned()))?;
        (sent >= *told).then(|| format!("{sender} was told that the owner is deleted, and writes: {}", request.line()))
    }

    /// Returns the objects for which a pass of this process is overdue.
    pub(crate) fn overdue(&self, sender: usize, log: &Log) -> BTreeSet<String> {
        let mut overdue = BTreeSet::new();
        for (about @ (_, plural, name), change) in self.there.iter().filter(|((of, ..), _)| *of == sender) {
            // Without a last pass, the controller may still wait for a list, or for the finalizer.
            let Some(last) = log.passes.iter().rfind(|pass| pass.is_of(plural, name)) else { continue };
            let Some(ended) = last.ended else { continue };
            let ended = self.asked.get(about).map_or(ended, |asked| ended.max(*asked + LIMIT));
            let seen = last.version();
            match change {
                Some((version, at)) if seen < *version && ended.max(*at).elapsed() > SOON => {
                    overdue.insert(format!("{sender} was told of a change of {plural} {name}, and no pass begins"));
                }
                _ if !last.succeeded && ended.elapsed() > RETRY => {
                    overdue.insert(format!("{sender} does not try {plural} {name} again"));
                }
                _ => {}
            }
        }
        overdue
    }
}

impl Pass {
    fn version(&self) -> u64 {
        self.metadata.resource_version.as_ref().and_then(|version| version.parse().ok()).unwrap_or_default()
    }
}
