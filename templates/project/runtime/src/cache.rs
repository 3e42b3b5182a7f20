//! Caches: the objects of one kind in the last state that the API server has sent.

mod compressed;
mod index;
mod key;
mod predicates;
#[cfg(test)]
mod tests;
mod write;

pub use key::Key;
pub use predicates::{OfOne, Predicates};
pub use write::{Done, Write};

use crate::observed::Observed;
use compressed::{Compressed, Compressor};
use index::Index;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::{ResourceExt, api::ApiResource, runtime::watcher};
use parking_lot::Mutex;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// An object in a cache.
pub struct Cached {
    pub version: u64,
    /// The key of the object that is reconciled when this one changes.
    pub subject: Key,
    pub deleting: bool,
    pub uid: Box<str>,
    /// The version of the spec. `None` for a kind without one.
    pub generation: Option<i64>,
    /// True once an answer of the API server has shown that the object no longer exists or is being
    /// deleted, though the watch has not reported it yet: see [`Cache::set_gone`].
    gone: AtomicBool,
    /// True once a pass has ended while the cache had this version: a child that is missing in a later
    /// one may have been collected with the object.
    pub may_be_gone: AtomicBool,
    /// A hash of the desired child for which an apply changed nothing in this version. 0 if there
    /// was no such apply.
    pub unchanged_by: AtomicU64,
    /// The same for a removal of what others have set.
    pub kept_by_others: AtomicU64,
    /// The entries of this object in the indexes: see [`Cache::indexes`].
    indexed: Box<[Indexed]>,
    json: Compressed,
}

impl Cached {
    /// Returns true if nothing is to be made for the object any more. An object that the cache has as
    /// being deleted may still need its cleanup.
    pub fn is_gone(&self) -> bool {
        self.gone.load(Relaxed) && !self.deleting
    }

    /// Returns the object as JSON. The cache holds it as compressed text, which takes a fiftieth of
    /// the memory of a tree of values or of a Rust type.
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

/// The object to reconcile when an object in the cache changes.
pub enum Subject {
    /// The object itself or, in the cache of a watched kind, the objects that refer to it.
    Itself,
    /// The controller owner of the object, if the owner is of this kind.
    Owner { kind: ApiResource, namespaced: bool },
}

/// An entry of an index: the number of the index, and a value.
pub type Indexed = (usize, Key);

/// Returns the values of an object, given as JSON, in an index, such as the keys of the objects to
/// which it refers.
pub type Values = Box<dyn Fn(&str) -> Vec<Key> + Send + Sync>;

/// The objects of one kind that a controller reconciles, owns or watches.
pub struct Cache {
    pub kind: ApiResource,
    pub namespaced: bool,
    /// The selectors and the page size of the watch that fills the cache.
    pub watched: watcher::Config,
    pub metadata_only: bool,
    /// A change for which a predicate returns false is cached, but triggers no pass.
    pub predicates: Predicates,
    /// The indexes: one for each watch of a kind to which objects in this cache refer, and those of
    /// the author, which have names.
    pub indexes: Vec<(Option<&'static str>, Values)>,
    subject: Subject,
    compressor: Mutex<Compressor>,
    entries: Mutex<Entries>,
}

#[derive(Default)]
struct Entries {
    objects: HashMap<Key, Arc<Cached>>,
    writes: HashMap<Key, Writes>,
    /// The versions of own writes whose answers are cached, and which the watch has not shown yet.
    echoes: HashMap<Key, Vec<u64>>,
    /// The namespaces whose list is in progress; `None` stands for a list of all namespaces.
    listing: HashSet<Option<String>>,
    /// The versions of own writes that were answered while a list was in progress.
    written: HashMap<Key, u64>,
    /// The keys of the objects with each value of each index.
    indexed: Index<Indexed>,
    /// The keys of the objects of each subject, once [`Cache::with_subject`] was called.
    of: Option<Index<Key>>,
}

/// The own writes of one object that the API server has not answered yet.
#[derive(Default)]
struct Writes {
    count: u32,
    /// The highest version at which the object was seen to be deleted since the first of these
    /// writes.
    deleted: u64,
    /// True if a list has ended since the first of these writes.
    list_ended: bool,
}

impl Cache {
    pub fn new(kind: ApiResource, namespaced: bool, subject: Subject) -> Self {
        Self {
            kind,
            namespaced,
            watched: watcher::Config::default(),
            metadata_only: false,
            predicates: Predicates::default(),
            indexes: Vec::new(),
            subject,
            compressor: Mutex::default(),
            entries: Mutex::default(),
        }
    }

    /// Returns true if the cache is for objects of `kind`.
    pub fn holds(&self, kind: &ApiResource) -> bool {
        self.kind.kind == kind.kind && self.kind.group == kind.group
    }

    pub fn get(&self, key: &Key) -> Option<Arc<Cached>> {
        self.entries.lock().objects.get(key).cloned()
    }

    /// Caches `object` unless the cache has the same version or a newer one. Returns the key of the
    /// object to reconcile, if the change matters.
    pub fn put(&self, object: Observed) -> Option<Key> {
        self.insert(object, |known, version| known < version)
    }

    /// Returns the key of the owner that the cached object has, if the newer `object` belongs to
    /// another owner.
    pub fn former_owner(&self, object: &Observed) -> Option<Key> {
        let (known, owner) = (self.get(&Key::of(object))?, self.subject_of(object)?);
        let is_lost = known.version < version(object) && known.subject != owner;
        is_lost.then(|| known.subject.clone())
    }

    /// Caches an `object` of a list that began when the cache had it at version `before`. The list
    /// is right even if versions have gone back, as they do when etcd is restored from a backup;
    /// only an own write that was answered after the list began takes precedence.
    pub fn put_listed(&self, object: Observed, before: Option<u64>) -> Option<Key> {
        let key = Key::of(&object);
        let is_written = {
            let entries = &mut *self.entries.lock();
            entries.written.remove(&key);
            entries.echoes.remove(&key).is_some()
        };
        // The list does not show if others have changed the object before the own write.
        let hidden = is_written.then(|| self.subject_of(&object)).flatten();
        let newer = |known, version| known < version || known != version && Some(known) == before;
        let told = self.insert(object, newer);
        told.or(hidden)
    }

    /// Removes the object from the cache, unless the cache has a newer version than `version`.
    /// Returns the key of the object to reconcile.
    pub fn remove(&self, key: &Key, version: u64) -> Option<Key> {
        let gone = {
            let entries = &mut *self.entries.lock();
            if let Some(writes) = entries.writes.get_mut(key) {
                writes.deleted = writes.deleted.max(version);
            }
            let known = entries.objects.get(key);
            known.filter(|known| known.version <= version)?;
            entries.echoes.remove(key);
            entries.take(key)?
        };
        let matters = self.predicates.matter(Some(&gone), None);
        matters.then(|| gone.subject.clone())
    }

    /// Records that the API server has said that the object with this uid no longer exists or is
    /// being deleted. Earlier versions of it, which the watch may still report, are gone as well.
    pub fn set_gone(&self, key: &Key, uid: &str) {
        let entries = self.entries.lock();
        let known = entries.objects.get(key).filter(|known| *known.uid == *uid);
        known.inspect(|known| known.gone.store(true, Relaxed));
    }

    /// Returns the number of the index with this name.
    pub fn index(&self, name: &str) -> Option<usize> {
        let mut names = self.indexes.iter().map(|(name, _)| *name);
        names.position(|known| known == Some(name))
    }

    /// Returns the objects in a namespace, or in all namespaces: all objects, or those with a value in an
    /// index.
    pub fn select(
        &self,
        namespace: Option<&str>,
        indexed: Option<&Indexed>,
    ) -> Vec<(Key, Arc<Cached>)> {
        let entries = self.entries.lock();
        let with = |key: &Key| Some((key.clone(), entries.objects.get(key)?.clone()));
        let keys: Box<dyn Iterator<Item = &Key>> = match indexed {
            Some(indexed) => Box::new(entries.indexed.of(indexed)),
            None => Box::new(entries.objects.keys()),
        };
        let there = keys.filter(|key| is_in(key, namespace)).filter_map(with);
        there.filter(|(_, cached)| !cached.is_gone()).collect()
    }

    /// Returns the objects whose subject is `subject`.
    pub fn with_subject(&self, subject: &Key) -> Vec<Arc<Cached>> {
        let entries = &mut *self.entries.lock();
        // Built on demand: most controllers never need the index, and it takes memory.
        let of = entries.of.get_or_insert_with(|| {
            let mut of = Index::default();
            for (key, cached) in &entries.objects {
                of.add(cached.subject.clone(), key);
            }
            of
        });
        let known = of.of(subject).filter_map(|key| entries.objects.get(key));
        known.cloned().collect()
    }

    /// Begins a list of a namespace, or of all namespaces. Call this before the request is sent.
    /// Returns the versions of the objects that the cache has there.
    pub fn begin_list(&self, namespace: Option<&str>) -> HashMap<Key, u64> {
        let mut entries = self.entries.lock();
        entries.listing.insert(namespace.map(str::to_owned));
        entries.written.retain(|key, _| !is_in(key, namespace));
        let there = entries.objects.iter();
        let there = there.filter(|(key, _)| is_in(key, namespace));
        let versions = there.map(|(key, cached)| (key.clone(), cached.version));
        versions.collect()
    }

    /// Ends a list after all of its objects were put. Returns the objects that were written while
    /// the list was in progress and that it does not contain, with the versions of these writes.
    /// Each was either created after the list or deleted before it; the watch does not report such
    /// a deletion.
    pub fn end_list(&self, namespace: Option<&str>) -> Vec<(Key, u64)> {
        let entries = &mut *self.entries.lock();
        entries.listing.remove(&namespace.map(str::to_owned));
        for (key, writes) in &mut entries.writes {
            writes.list_ended |= is_in(key, namespace);
        }
        let left = entries.written.extract_if(|key, _| is_in(key, namespace));
        left.collect()
    }

    /// Returns the number of objects in the cache.
    pub fn len(&self) -> usize {
        self.entries.lock().objects.len()
    }

    fn insert(&self, object: Observed, newer: impl Fn(u64, u64) -> bool) -> Option<Key> {
        let (key, version) = (Key::of(&object), version(&object));
        let Some(subject) = self.subject_of(&object) else {
            return self.remove(&key, version); // its owner reference was taken off
        };
        let mut entries = self.entries.lock();
        let is_hidden = entries.record_event(&key, version);
        let known = entries.objects.get(&key);
        if known.is_some_and(|known| !newer(known.version, version)) {
            return is_hidden.then_some(subject);
        }
        let cached = self.cached(object, version, subject.clone())?;
        let same = known.filter(|known| known.uid == cached.uid);
        same.inspect(|known| cached.gone.store(known.gone.load(Relaxed), Relaxed));
        let matters = self
            .predicates
            .matter(known.map(|known| &**known), Some(&cached));
        entries.put(key, cached);
        matters.then_some(subject)
    }

    fn cached(&self, mut object: Observed, version: u64, subject: Key) -> Option<Cached> {
        // Only a child needs its managed fields: an apply reads in them who has created it.
        if matches!(self.subject, Subject::Itself) {
            object.managed_fields_mut().clear();
        }
        let json = object.json(&self.kind).ok()?;
        let indexed = |(number, (_, values)): (usize, &(_, Values))| {
            let values = values(&json).into_iter();
            values.map(move |value| (number, value)).collect::<Vec<_>>()
        };
        Some(Cached {
            version,
            subject,
            deleting: object.metadata.deletion_timestamp.is_some(),
            uid: object.metadata.uid.unwrap_or_default().into(),
            generation: object.metadata.generation,
            gone: AtomicBool::new(false),
            may_be_gone: AtomicBool::new(false),
            unchanged_by: AtomicU64::new(0),
            kept_by_others: AtomicU64::new(0),
            indexed: self.indexes.iter().enumerate().flat_map(indexed).collect(),
            json: self.compressor.lock().compress(&json),
        })
    }

    fn subject_of(&self, object: &Observed) -> Option<Key> {
        let Subject::Owner { kind, namespaced } = &self.subject else {
            return Some(Key::of(object));
        };
        let mut owners = object.owner_references().iter();
        let owner = owners.find(|owner| owner.controller == Some(true))?;
        let group = owner.api_version.rsplit('/').nth(1).unwrap_or("");
        let namespace = object.metadata.namespace.as_deref();
        let namespace = namespace.filter(|_| *namespaced);
        (owner.kind == kind.kind && group == kind.group).then(|| Key::new(namespace, &owner.name))
    }
}

impl Predicates {
    /// Returns true if a change triggers a pass. An object that is being deleted may need its cleanup.
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
        let is_lost = |old: &Cached| {
            self.delete
                .as_ref()
                .is_none_or(|delete| delete(&old.json()))
        };
        after.is_some_and(is_new) || before.is_some_and(is_lost)
    }
}

impl Entries {
    fn put(&mut self, key: Key, cached: Cached) {
        self.take(&key);
        for indexed in &cached.indexed {
            self.indexed.add(indexed.clone(), &key);
        }
        if let Some(of) = &mut self.of {
            of.add(cached.subject.clone(), &key);
        }
        self.objects.insert(key, Arc::new(cached));
    }

    fn take(&mut self, key: &Key) -> Option<Arc<Cached>> {
        let cached = self.objects.remove(key)?;
        for indexed in &cached.indexed {
            self.indexed.remove(indexed, key);
        }
        if let Some(of) = &mut self.of {
            of.remove(&cached.subject, key);
        }
        Some(cached)
    }
}

/// Returns true if the object is in `namespace`; `None` stands for all namespaces.
fn is_in(key: &Key, namespace: Option<&str>) -> bool {
    namespace.is_none() || key.namespace() == namespace
}

/// Returns the resource version as a number. Since 1.35, Kubernetes guarantees that resource
/// versions are numbers that grow; earlier releases have always made them so.
pub fn version(object: &impl ResourceExt) -> u64 {
    let version = object.resource_version().unwrap_or_default();
    version.parse().unwrap_or(0)
}
