//! Caches of objects, in the last state that the API server has sent. Controllers that
//! select the same objects share a cache, and each of them has a [`View`] of it.

mod compressed;
mod index;
mod key;
mod owner;
mod pool;
mod predicates;
#[cfg(test)]
mod shared_tests;
#[cfg(test)]
mod tests;
mod view;
mod write;

pub use index::Indexed;
pub use key::Key;
pub use owner::{OWNER, Owner};
pub use pool::{Pool, whole_kind};
pub use predicates::{OfOne, Predicates};
pub use view::View;
pub use write::{Done, Write};

use crate::observed::Observed;
use crate::priority::Priority;
use compressed::{Compressed, Compressor};
use index::Index;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::{ResourceExt, api::ApiResource, runtime::watcher};
use parking_lot::{Mutex, RwLock};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

/// An object in a cache.
pub struct Cached {
    pub version: u64,
    /// The controller owner, if its kind is among [`Declared::owners`].
    owner: Option<Indexed>,
    /// True if only the annotation [`OWNER`] names the owner.
    is_elsewhere: bool,
    pub deleting: bool,
    pub uid: Box<str>,
    /// The generation, which counts changes of the spec; `None` for a kind without generations.
    pub generation: Option<i64>,
    /// True once an answer of the API server has shown that the object no longer exists or is being
    /// deleted, before the watch has reported it: see [`Cache::set_gone`].
    gone: AtomicBool,
    /// True once a reconciliation of the object has ended with this version in the cache. A later
    /// reconciliation that misses a child first asks the API server if the object still exists.
    pub may_be_gone: AtomicBool,
    /// The hash of the desired state whose apply has returned this version of the child. This
    /// desired state is not applied again. 0 if there was no such apply.
    pub unchanged_by: AtomicU64,
    /// The hash of the list of other clients' fields (JSON pointers) that this version of the child
    /// kept despite a removal. The removal is not repeated. 0 if there was no such removal.
    pub kept_by_others: AtomicU64,
    /// The entries of this object in the indexes: see [`Declared::indexes`].
    indexed: Box<[Indexed]>,
    json: Compressed,
}

impl Cached {
    /// Returns true if the object is known to be gone and needs no children any more. False if the
    /// cache shows the object as being deleted, because its cleanup may still be due.
    pub fn is_gone(&self) -> bool {
        self.gone.load(Relaxed) && !self.deleting
    }

    /// Returns the object as JSON. The cache stores it as compressed text, which takes a fiftieth
    /// of the memory of a tree of JSON values or of a Rust type.
    pub fn json(&self) -> String {
        self.json.text()
    }

    /// Returns the metadata of the object, without reading its other fields.
    pub fn metadata(&self) -> serde_json::Result<ObjectMeta> {
        #[derive(Deserialize)]
        struct Object {
            metadata: ObjectMeta,
        }
        let Object { metadata } = serde_json::from_str(&self.json())?;
        Ok(metadata)
    }
}

/// A watched namespace; `None` stands for all namespaces, and for a cluster-scoped kind.
pub type Namespace = Option<String>;

/// The kind of owners, and true if the kind is namespaced.
pub type Owners = (ApiResource, bool);

/// A function that returns the values under which an index contains an object, such as the
/// keys of the objects to which the object refers. The object is given as JSON.
pub type Values = Arc<dyn Fn(&str) -> Vec<Key> + Send + Sync>;

/// The states of an object before and after a change. If the cache does not know the change, both
/// are the same state, and a reconciliation follows without a check of the predicates.
pub type States = [Option<Arc<Cached>>; 2];

/// The reason for a controller to reconcile an object.
pub enum Event {
    Due(Key),
    /// An object has changed in the cache of the view with this [`View::id`].
    Changed(usize, Key, States, Priority),
}

/// The objects of one kind that controllers reconcile, own or watch.
pub struct Cache {
    pub kind: ApiResource,
    /// The selectors and the page size of the watch that fills the cache.
    pub watched: watcher::Config,
    pub metadata_only: bool,
    /// The watched namespaces, each with a token that is cancelled once the namespace is listed.
    pub listed: BTreeMap<Namespace, CancellationToken>,
    declared: RwLock<Arc<Declared>>,
    /// The views whose controllers run: their [`View::id`], and the channel to the controller.
    running: Mutex<Vec<(usize, UnboundedSender<Event>)>>,
    compressor: Mutex<Compressor>,
    entries: Mutex<Entries>,
}

/// The indexes and the kinds of owners that the views of a cache need.
#[derive(Clone, Default)]
struct Declared {
    /// The index functions: one for each watch of objects to which the objects in this cache refer,
    /// and one for each index that the author of the operator defined.
    indexes: Vec<Values>,
    owners: Vec<Owners>,
}

#[derive(Default)]
struct Entries {
    objects: HashMap<Key, Arc<Cached>>,
    writes: HashMap<Key, Writes>,
    /// For each object, the versions made by writes of this process that the watch has not reported
    /// yet, each with the [`View::id`] of the view that wrote the version.
    echoes: HashMap<Key, Vec<(u64, usize)>>,
    /// The namespaces whose list is in progress; `None` stands for a list of all namespaces.
    listing: HashSet<Option<String>>,
    /// For each object, the version that a write returned while a list was in progress.
    written: HashMap<Key, u64>,
    /// The keys of the objects, by index and value.
    indexed: Index,
    /// The keys of the children, by owner. Built by the first call of [`View::with_subject`].
    of: Option<Index>,
}

/// The writes of one object by this process that the API server has not answered yet.
#[derive(Default)]
struct Writes {
    count: u32,
    /// The highest resource version at which the object was reported as deleted while a write
    /// of the object was unanswered; 0 if there was no such report.
    deleted: u64,
    /// True if a list of the object's namespace has ended while a write was unanswered.
    list_ended: bool,
}

impl Cache {
    /// Returns true if the cache is for objects of `kind`.
    pub fn holds(&self, kind: &ApiResource) -> bool {
        self.kind.kind == kind.kind && self.kind.group == kind.group
    }

    /// Returns the token that is cancelled once all objects in a namespace are in the cache.
    pub fn listed(&self, namespace: &Namespace) -> CancellationToken {
        let listed = self.listed.get(namespace).or(self.listed.get(&None));
        listed.cloned().unwrap_or_default()
    }

    fn known(&self, key: &Key) -> Option<Arc<Cached>> {
        self.entries.lock().objects.get(key).cloned()
    }

    /// Caches `object` unless the cache has the same or a newer version of the object.
    pub fn put(&self, object: Observed) {
        self.insert(object, |known, version| known < version, Priority::High);
    }

    /// Caches an `object` of a list if its version is newer than the cached version. An older
    /// version is also cached, as after a restore of etcd from a backup, if the cached version is
    /// still `before`, which was cached when the list began.
    pub fn put_listed(&self, object: Observed, before: Option<u64>, priority: Priority) {
        let key = Key::of(&object);
        let written = {
            let entries = &mut *self.entries.lock();
            entries.written.remove(&key);
            entries.echoes.remove(&key).unwrap_or_default()
        };
        let newer = |known, version| known < version || known != version && Some(known) == before;
        self.insert(object, newer, priority);
        // The list does not show if others have changed the object before the own write.
        let writers: Vec<_> = written.into_iter().map(|(_, view)| view).collect();
        self.hidden(&key, &writers);
    }

    /// Removes the object from the cache, unless the cache has a newer version than `version`.
    pub fn remove(&self, key: &Key, version: u64) {
        let gone = {
            let entries = &mut *self.entries.lock();
            if let Some(writes) = entries.writes.get_mut(key) {
                writes.deleted = writes.deleted.max(version);
            }
            let known = entries.objects.get(key);
            if known.is_none_or(|known| known.version > version) {
                return;
            }
            entries.echoes.remove(key);
            entries.take(key)
        };
        self.publish(key, [gone, None], Priority::High, |_| true);
    }

    /// Sends an object's change to each running controller if `to` returns true for its view's id.
    fn publish(&self, key: &Key, states: States, priority: Priority, to: impl Fn(usize) -> bool) {
        for (view, changed) in self.running.lock().iter().filter(|(view, _)| to(*view)) {
            let change = Event::Changed(*view, key.clone(), states.clone(), priority);
            let _ = changed.send(change); // fails when the controller stops
        }
    }

    /// Makes the controllers of the views `writers` reconcile the object. These controllers missed
    /// another client's change in the answers to their writes, which trigger no reconciliation.
    fn hidden(&self, key: &Key, writers: &[usize]) {
        let known = self.known(key);
        let states = [known.clone(), known];
        self.publish(key, states, Priority::High, |view| writers.contains(&view));
    }

    /// Records an answer of the API server that the object with this uid no longer exists or is
    /// being deleted. Earlier versions, which the watch may still report, also count as gone.
    pub fn set_gone(&self, key: &Key, uid: &str) {
        let entries = self.entries.lock();
        let known = entries.objects.get(key).filter(|known| *known.uid == *uid);
        known.inspect(|known| known.gone.store(true, Relaxed));
    }

    /// Begins a list of a namespace, or of all namespaces. Call this before the request is sent.
    /// Returns the versions of the cached objects in the namespace.
    pub fn begin_list(&self, namespace: Option<&str>) -> HashMap<Key, u64> {
        let mut entries = self.entries.lock();
        entries.listing.insert(namespace.map(str::to_owned));
        entries.written.retain(|key, _| !is_in(key, namespace));
        let there = entries.objects.iter();
        let there = there.filter(|(key, _)| is_in(key, namespace));
        let versions = there.map(|(key, cached)| (key.clone(), cached.version));
        versions.collect()
    }

    /// Ends a list after all of its objects were put into the cache. Returns the objects that this
    /// process wrote while the list was in progress and that the list lacks, with the versions of
    /// these writes. Such an object was created after the API server made the list, or deleted
    /// before, and the watch does not report such a deletion.
    pub fn end_list(&self, namespace: Option<&str>) -> Vec<(Key, u64)> {
        let entries = &mut *self.entries.lock();
        entries.listing.remove(&namespace.map(str::to_owned));
        for (key, writes) in &mut entries.writes {
            writes.list_ended |= is_in(key, namespace);
        }
        let left = entries.written.extract_if(|key, _| is_in(key, namespace));
        left.collect()
    }

    fn insert(&self, object: Observed, newer: impl Fn(u64, u64) -> bool, priority: Priority) {
        let (key, version) = (Key::of(&object), version(&object));
        let is_newer =
            |known: Option<&Arc<Cached>>| known.is_none_or(|known| newer(known.version, version));
        // The author's functions run in it, and may take long: not while the lock is held.
        let is_news = is_newer(self.known(&key).as_ref());
        let cached = is_news.then(|| self.cached(object, version)).flatten();
        let (states, writers) = {
            let entries = &mut *self.entries.lock();
            let writers = entries.record_event(&key, version);
            let known = entries.objects.get(&key);
            // The answer to an own write may have come meanwhile.
            let cached = cached.filter(|_| is_newer(known));
            if let (Some(known), Some(cached)) = (known, &cached)
                && known.uid == cached.uid
            {
                cached.gone.store(known.gone.load(Relaxed), Relaxed);
            }
            (cached.map(|cached| entries.put(&key, cached)), writers)
        };
        match states {
            Some(states) => self.publish(&key, states, priority, |_| true),
            None => self.hidden(&key, &writers),
        }
    }

    fn cached(&self, mut object: Observed, version: u64) -> Option<Cached> {
        let declared = self.declared.read().clone();
        if self.metadata_only {
            object = Observed::without_data(object.metadata); // a write's answer has all fields
        }
        // Only a child needs its managed fields: an apply reads in them who has created it.
        if declared.owners.is_empty() {
            object.managed_fields_mut().clear();
        }
        let json = object.json(&self.kind).ok()?;
        let indexes = declared.indexes.iter().enumerate();
        let indexed = |(number, values): (usize, &Values)| {
            let values = values(&json).into_iter();
            values.map(move |value| (number, value)).collect::<Vec<_>>()
        };
        let (owner, is_elsewhere) = declared.owner_of(&object.metadata).unzip();
        Some(Cached {
            version,
            owner,
            is_elsewhere: is_elsewhere.unwrap_or_default(),
            deleting: object.metadata.deletion_timestamp.is_some(),
            uid: object.metadata.uid.unwrap_or_default().into(),
            generation: object.metadata.generation,
            gone: AtomicBool::new(false),
            may_be_gone: AtomicBool::new(false),
            unchanged_by: AtomicU64::new(0),
            kept_by_others: AtomicU64::new(0),
            indexed: indexes.flat_map(indexed).collect(),
            json: self.compressor.lock().compress(&json),
        })
    }
}

impl Declared {
    /// Returns the controller owner of an object, and a flag that is true if only the annotation
    /// [`OWNER`] names this owner. Returns `None` if the owner's kind is not among `owners`.
    fn owner_of(&self, object: &ObjectMeta) -> Option<(Indexed, bool)> {
        let owner = Owner::of_child(object)?;
        let (reference, key) = (owner.reference, owner.key);
        let group = reference.api_version.rsplit('/').nth(1).unwrap_or("");
        let is_of = |kind: &ApiResource| reference.kind == kind.kind && group == kind.group;
        let number = self.owners.iter().position(|(kind, _)| is_of(kind))?;
        let namespace = key.namespace().filter(|_| self.owners[number].1);
        if self.owners[number].1 && namespace.is_none() {
            return None;
        }
        let indexed = (number, Key::new(namespace, &reference.name));
        Some((indexed, owner.is_elsewhere))
    }
}

impl Predicates {
    /// Returns true if a change triggers a reconciliation; the start of a deletion always does.
    pub fn matter(&self, before: Option<&Cached>, after: Option<&Cached>) -> bool {
        // A list can show a new object where the cache has an earlier one of the same name.
        if let (Some(before), Some(after)) = (before, after)
            && before.uid == after.uid
        {
            let deleted = after.deleting && !before.deleting;
            let update = self.update.as_ref().filter(|_| !deleted);
            return update.is_none_or(|update| update(&before.json(), &after.json()));
        }
        let is_new = |new: &Cached| {
            let create = self.create.as_ref().filter(|_| !new.deleting);
            create.is_none_or(|create| create(&new.json()))
        };
        let delete = self.delete.as_ref();
        let is_lost = |old: &Cached| delete.is_none_or(|delete| delete(&old.json()));
        after.is_some_and(is_new) || before.is_some_and(is_lost)
    }
}

impl Entries {
    fn put(&mut self, key: &Key, cached: Cached) -> States {
        let before = self.take(key);
        for indexed in &cached.indexed {
            self.indexed.add(indexed.clone(), key);
        }
        if let (Some(of), Some(owner)) = (&mut self.of, &cached.owner) {
            of.add(owner.clone(), key);
        }
        let cached = Arc::new(cached);
        self.objects.insert(key.clone(), cached.clone());
        [before, Some(cached)]
    }

    fn take(&mut self, key: &Key) -> Option<Arc<Cached>> {
        let cached = self.objects.remove(key)?;
        for indexed in &cached.indexed {
            self.indexed.remove(indexed, key);
        }
        if let (Some(of), Some(owner)) = (&mut self.of, &cached.owner) {
            of.remove(owner, key);
        }
        Some(cached)
    }
}

/// Returns true if the object is in `namespace`; `None` stands for all namespaces.
fn is_in(key: &Key, namespace: Option<&str>) -> bool {
    namespace.is_none() || key.namespace() == namespace
}

/// Returns the resource version as a number. Kubernetes 1.35 and later guarantee that resource
/// versions are increasing numbers; earlier releases behave in the same way.
pub fn version(object: &impl ResourceExt) -> u64 {
    let version = object.resource_version().unwrap_or_default();
    version.parse().unwrap_or(0)
}
