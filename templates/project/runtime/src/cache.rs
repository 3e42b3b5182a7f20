//! The objects of one kind as the API server showed them last.

mod index;
#[cfg(test)]
mod tests;
mod write;

pub use write::{Done, Write};

use index::Index;
use kube::ResourceExt;
use kube::api::{ApiResource, DynamicObject};
use kube::runtime::watcher;
use parking_lot::Mutex;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use write::Writes;

/// A namespace, if the kind has any, and a name.
pub type Key = (Option<String>, String);

/// An object in a cache.
pub struct Cached {
    pub version: u64,
    /// The key of the object that is reconciled when this one changes.
    pub subject: Key,
    pub deleting: bool,
    /// True once the API server has said that it is not there, or that it is being deleted.
    pub gone: AtomicBool,
    /// True once a pass has succeeded with it.
    pub settled: AtomicBool,
    /// The objects that this one names: see [`Cache::references`].
    names: Box<[Reference]>,
    /// Text takes a tenth of the memory that a tree of values or a Rust type would take.
    pub json: Box<str>,
}

/// Which object is reconciled when one in the cache changes.
pub enum Subject {
    /// The object itself, or those that name it.
    Itself,
    /// Its controller owner, if that is of this kind.
    Owner { kind: ApiResource, namespaced: bool },
}

/// An object that another one names: the number of its kind's watch, and its key.
pub type Reference = (usize, Key);

/// Finds what an object names, which is given as text.
pub type References = Box<dyn Fn(&str) -> Vec<Key> + Send + Sync>;

/// Tells from an object before and after a change if the change matters.
pub type Predicate = Box<dyn Fn(&str, &str) -> bool + Send + Sync>;

/// The objects of one kind that a controller reconciles, owns or watches.
pub struct Cache {
    pub kind: ApiResource,
    pub namespaced: bool,
    /// Which objects are in it.
    pub watched: watcher::Config,
    pub metadata_only: bool,
    /// Changes for which it is false are kept, and are not news.
    pub predicate: Option<Predicate>,
    /// For each watch of another kind, what the objects here name of it.
    pub references: Vec<References>,
    subject: Subject,
    entries: Mutex<Entries>,
}

#[derive(Default)]
struct Entries {
    objects: HashMap<Key, Arc<Cached>>,
    writes: HashMap<Key, Writes>,
    /// The namespaces of which a list is on its way.
    listing: HashSet<Option<String>>,
    /// The versions of own writes that were answered meanwhile.
    written: HashMap<Key, u64>,
    /// By what the objects name.
    naming: Index<Reference>,
    /// By subject, once somebody has asked.
    of: Option<Index<Key>>,
}

impl Cache {
    pub fn new(kind: ApiResource, namespaced: bool, subject: Subject) -> Self {
        Self {
            kind,
            namespaced,
            watched: watcher::Config::default(),
            metadata_only: false,
            predicate: None,
            references: Vec::new(),
            subject,
            entries: Mutex::default(),
        }
    }

    /// True if it is of this kind.
    pub fn holds(&self, kind: &ApiResource) -> bool {
        self.kind.kind == kind.kind && self.kind.group == kind.group
    }

    pub fn get(&self, key: &Key) -> Option<Arc<Cached>> {
        self.entries.lock().objects.get(key).cloned()
    }

    /// Keeps `object` unless the cache has the same version or a newer one. Gives the key of the
    /// object to reconcile, if this was news.
    pub fn put(&self, object: DynamicObject) -> Option<Key> {
        self.insert(object, |known, version| known < version)
    }

    /// Keeps an `object` of a list that began when the cache had it at version `before`. A list
    /// tells the truth even where versions have gone back, as they do when etcd is restored from a
    /// backup; only an own write that came after the list began counts more.
    pub fn put_listed(&self, object: DynamicObject, before: Option<u64>) -> Option<Key> {
        self.entries.lock().written.remove(&key(&object));
        self.insert(object, |known, version| {
            if Some(known) == before {
                known != version
            } else {
                known < version
            }
        })
    }

    /// Drops the object, unless something newer was made in its place. Gives the key of the object
    /// to reconcile.
    pub fn remove(&self, key: &Key, version: u64) -> Option<Key> {
        let entries = &mut *self.entries.lock();
        if let Some(writes) = entries.writes.get_mut(key) {
            writes.deleted = writes.deleted.max(version);
        }
        entries
            .objects
            .get(key)
            .filter(|known| known.version <= version)?;
        let gone = entries.take(key)?;
        Some(gone.subject.clone())
    }

    /// The keys of the objects that name this one.
    pub fn naming(&self, reference: &Reference) -> Vec<Key> {
        self.entries.lock().naming.of(reference).cloned().collect()
    }

    /// The objects of this subject.
    pub fn of(&self, subject: &Key) -> Vec<Arc<Cached>> {
        let entries = &mut *self.entries.lock();
        // Most controllers never ask: the index would only take memory.
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

    /// To be called before a request that writes the object: see [`Write::done`].
    pub fn write(&self, key: Key) -> Write<'_> {
        self.entries
            .lock()
            .writes
            .entry(key.clone())
            .or_default()
            .count += 1;
        Write::new(self, key)
    }

    /// To be called before a list of a namespace, or of all of them, is asked for. Gives the
    /// versions of the objects there.
    pub fn begin_list(&self, namespace: Option<&str>) -> HashMap<Key, u64> {
        let mut entries = self.entries.lock();
        entries.listing.insert(namespace.map(str::to_owned));
        entries.written.retain(|key, _| !is_in(key, namespace));
        let there = entries.objects.iter();
        let there = there.filter(|(key, _)| is_in(key, namespace));
        there
            .map(|(key, cached)| (key.clone(), cached.version))
            .collect()
    }

    /// To be called when all objects of the list were put. Gives the objects that were written
    /// while it was on its way and are not in it, at the versions of these writes. They were made
    /// after the list, or deleted before it: then the watch will not tell.
    pub fn end_list(&self, namespace: Option<&str>) -> Vec<(Key, u64)> {
        let entries = &mut *self.entries.lock();
        entries.listing.remove(&namespace.map(str::to_owned));
        for (key, writes) in &mut entries.writes {
            writes.outlived |= is_in(key, namespace);
        }
        let left = entries.written.extract_if(|key, _| is_in(key, namespace));
        left.collect()
    }

    /// The number of objects in it.
    pub fn len(&self) -> usize {
        self.entries.lock().objects.len()
    }

    fn insert(&self, object: DynamicObject, newer: impl Fn(u64, u64) -> bool) -> Option<Key> {
        let (key, version) = (key(&object), version(&object));
        let Some(subject) = self.subject_of(&object) else {
            return self.remove(&key, version); // its owner reference was taken off
        };
        let mut entries = self.entries.lock();
        let known = entries.objects.get(&key);
        if known.is_some_and(|known| !newer(known.version, version)) {
            return None;
        }
        let cached = self.cached(object, version, subject.clone())?;
        let matters = known.is_none_or(|known| self.matters(known, &cached));
        entries.put(key, cached);
        matters.then_some(subject)
    }

    fn matters(&self, before: &Cached, after: &Cached) -> bool {
        let deleted = after.deleting && !before.deleting;
        let wanted = |predicate: &Predicate| predicate(&before.json, &after.json);
        deleted || self.predicate.as_ref().is_none_or(wanted)
    }

    fn cached(&self, mut object: DynamicObject, version: u64, subject: Key) -> Option<Cached> {
        // Of a child, an apply wants to know who has created it.
        if matches!(self.subject, Subject::Itself) {
            object.managed_fields_mut().clear();
        }
        object.types = DynamicObject::new("", &self.kind).types; // items of a list lack it
        let json = serde_json::to_string(&object).ok()?;
        let named = |(watch, references): (usize, &References)| {
            let keys = references(&json).into_iter();
            keys.map(move |key| (watch, key)).collect::<Vec<_>>()
        };
        Some(Cached {
            version,
            subject,
            deleting: object.metadata.deletion_timestamp.is_some(),
            gone: AtomicBool::new(false),
            settled: AtomicBool::new(false),
            names: self.references.iter().enumerate().flat_map(named).collect(),
            json: json.into(),
        })
    }

    fn subject_of(&self, object: &DynamicObject) -> Option<Key> {
        let Subject::Owner { kind, namespaced } = &self.subject else {
            return Some(key(object));
        };
        let mut owners = object.owner_references().iter();
        let owner = owners.find(|owner| owner.controller == Some(true))?;
        let group = owner.api_version.rsplit('/').nth(1).unwrap_or("");
        let namespace = object.namespace().filter(|_| *namespaced);
        (owner.kind == kind.kind && group == kind.group).then(|| (namespace, owner.name.clone()))
    }
}

impl Entries {
    fn put(&mut self, key: Key, cached: Cached) {
        self.take(&key);
        for reference in &cached.names {
            self.naming.add(reference.clone(), &key);
        }
        if let Some(of) = &mut self.of {
            of.add(cached.subject.clone(), &key);
        }
        self.objects.insert(key, Arc::new(cached));
    }

    fn take(&mut self, key: &Key) -> Option<Arc<Cached>> {
        let cached = self.objects.remove(key)?;
        for reference in &cached.names {
            self.naming.remove(reference, key);
        }
        if let Some(of) = &mut self.of {
            of.remove(&cached.subject, key);
        }
        Some(cached)
    }
}

/// True if the object is in the namespace, or if that is none of them.
fn is_in(key: &Key, namespace: Option<&str>) -> bool {
    namespace.is_none() || key.0.as_deref() == namespace
}

pub fn key(object: &impl ResourceExt) -> Key {
    (object.namespace(), object.name_any())
}

/// Kubernetes promises since 1.35 that versions are numbers that grow, and has always made them so.
pub fn version(object: &impl ResourceExt) -> u64 {
    let version = object.resource_version().unwrap_or_default();
    version.parse().unwrap_or(0)
}
