//! The objects of one kind as the API server showed them last.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::ResourceExt;
use kube::api::{ApiResource, DynamicObject};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// A namespace, if the kind has any, and a name.
pub type Key = (Option<String>, String);

/// An object in a cache.
pub struct Cached {
    pub version: u64,
    /// The key of the object that is reconciled when this one changes.
    pub subject: Key,
    pub deleting: bool,
    /// Text takes a tenth of the memory that a tree of values or a Rust type would take.
    pub json: Box<str>,
}

/// Which object is reconciled when one in the cache changes.
pub enum Subject {
    /// The object itself.
    Itself,
    /// Its controller owner, if that is of this kind.
    Owner { kind: ApiResource, namespaced: bool },
}

/// The objects of one kind that a controller reconciles or owns.
pub struct Cache {
    pub kind: ApiResource,
    pub namespaced: bool,
    subject: Subject,
    entries: Mutex<Entries>,
}

#[derive(Default)]
struct Entries {
    objects: HashMap<Key, Arc<Cached>>,
    writes: HashMap<Key, Writes>,
}

/// Own writes whose answers are still on their way.
#[derive(Default)]
struct Writes {
    count: u32,
    /// The highest version at which the object was seen to be deleted meanwhile.
    deleted: u64,
}

impl Cache {
    pub fn new(kind: ApiResource, namespaced: bool, subject: Subject) -> Self {
        Self {
            kind,
            namespaced,
            subject,
            entries: Mutex::default(),
        }
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
        let gone = entries.objects.remove(key)?;
        Some(gone.subject.clone())
    }

    /// To be called before a request that writes the object: see [`Write::done`].
    pub fn write(&self, key: Key) -> Write<'_> {
        self.entries
            .lock()
            .writes
            .entry(key.clone())
            .or_default()
            .count += 1;
        Write { cache: self, key }
    }

    /// The versions of all objects in a namespace, or in all of them.
    pub fn versions(&self, namespace: Option<&str>) -> HashMap<Key, u64> {
        let entries = self.entries.lock();
        let there = entries
            .objects
            .iter()
            .filter(|(key, _)| namespace.is_none() || key.0.as_deref() == namespace);
        there
            .map(|(key, cached)| (key.clone(), cached.version))
            .collect()
    }

    /// How many objects are in it.
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
        entries.objects.insert(key, Arc::new(cached));
        Some(subject)
    }

    fn cached(&self, mut object: DynamicObject, version: u64, subject: Key) -> Option<Cached> {
        match &self.subject {
            Subject::Itself => object.managed_fields_mut().clear(),
            // Half of the object. Of the rest, an apply wants to know who has created it.
            Subject::Owner { .. } => {
                for entry in object.managed_fields_mut() {
                    entry.fields_v1 = None;
                }
            }
        }
        object.types = DynamicObject::new("", &self.kind).types; // items of a list lack it
        Some(Cached {
            version,
            subject,
            deleting: object.metadata.deletion_timestamp.is_some(),
            json: serde_json::to_string(&object).ok()?.into(),
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

/// A write that the API server has not answered yet.
pub struct Write<'a> {
    cache: &'a Cache,
    key: Key,
}

impl Write<'_> {
    /// Keeps the object of the answer, so that the next pass sees it without waiting for the watch.
    /// The watch may have been faster: an object that was deleted after this write does not come
    /// back.
    ///
    /// Gives true if the answer also has changes of others, of which no pass knows: the watch will
    /// not tell them again.
    pub fn done(self, object: DynamicObject) -> bool {
        let version = version(&object);
        let Some(subject) = self.cache.subject_of(&object) else {
            return false;
        };
        let after = said_by_others(object.metadata.clone());
        // One lock for all of it: the watch works at the same time.
        let mut entries = self.cache.entries.lock();
        let deleted = entries
            .writes
            .get(&self.key)
            .map_or(0, |writes| writes.deleted);
        let before = entries.objects.get(&self.key);
        if version <= deleted || before.is_some_and(|before| before.version >= version) {
            return false;
        }
        let before: Option<DynamicObject> =
            before.and_then(|before| serde_json::from_str(&before.json).ok());
        let news = before.is_some_and(|before| said_by_others(before.metadata) != after);
        if let Some(cached) = self.cache.cached(object, version, subject) {
            let key = self.key.clone();
            entries.objects.insert(key, Arc::new(cached));
        }
        news
    }
}

impl Drop for Write<'_> {
    fn drop(&mut self) {
        let mut entries = self.cache.entries.lock();
        if let Some(writes) = entries.writes.get_mut(&self.key) {
            writes.count -= 1;
            if writes.count == 0 {
                entries.writes.remove(&self.key);
            }
        }
    }
}

/// Metadata without what every write changes. The generation stands for the spec.
fn said_by_others(mut metadata: ObjectMeta) -> ObjectMeta {
    metadata.resource_version = None;
    metadata.managed_fields = None;
    metadata
}

pub fn key(object: &impl ResourceExt) -> Key {
    (object.namespace(), object.name_any())
}

/// Kubernetes promises since 1.35 that versions are numbers that grow, and has always made them so.
pub fn version(object: &impl ResourceExt) -> u64 {
    let version = object.resource_version().unwrap_or_default();
    version.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use k8s_openapi::api::apps::v1::Deployment;
    use k8s_openapi::api::core::v1::Pod;
    use serde_json::{Value, json};

    fn pods() -> Cache {
        let kind = ApiResource::erase::<Deployment>(&());
        let namespaced = true;
        let subject = Subject::Owner { kind, namespaced };
        Cache::new(ApiResource::erase::<Pod>(&()), namespaced, subject)
    }

    fn child(version: &str, owners: &Value) -> DynamicObject {
        let metadata = json!({
            "name": "a", "namespace": "ns", "resourceVersion": version, "ownerReferences": owners,
        });
        // As in a list: without a kind.
        serde_json::from_value(json!({ "metadata": metadata, "spec": {} })).unwrap()
    }

    fn owned() -> Value {
        json!([{
            "apiVersion": "apps/v1", "kind": "Deployment", "name": "o", "uid": "1",
            "controller": true,
        }])
    }

    fn of(name: &str) -> Key {
        (Some("ns".into()), name.into())
    }

    #[test]
    fn the_owner_of_what_changed_is_given_and_echoes_are_not_news() {
        let pods = pods();
        assert_eq!(pods.put(child("10", &owned())), Some(of("o")));
        assert_eq!(
            pods.put(child("10", &owned())),
            None,
            "the echo of an own write"
        );
        assert_eq!(pods.put(child("9", &owned())), None, "older");
        assert!(
            pods.get(&of("a"))
                .unwrap()
                .json
                .contains("\"kind\":\"Pod\"")
        );
        assert_eq!(pods.remove(&of("a"), 9), None, "made again since");
        assert_eq!(pods.put(child("11", &json!([]))), Some(of("o")), "disowned");
        assert!(pods.get(&of("a")).is_none());
    }

    #[test]
    fn a_list_is_believed_even_if_versions_go_back() {
        let pods = pods();
        pods.put(child("100", &owned()));
        let before = pods.versions(Some("ns"));
        assert_eq!(pods.versions(Some("other")), HashMap::new());
        assert_eq!(
            pods.put_listed(child("100", &owned()), before.get(&of("a")).copied()),
            None
        );
        assert!(
            pods.put_listed(child("7", &owned()), before.get(&of("a")).copied())
                .is_some()
        );
        assert_eq!(pods.get(&of("a")).unwrap().version, 7);

        let before = pods.versions(None);
        pods.put(child("9", &owned())); // an own write, after the list was made
        assert_eq!(
            pods.put_listed(child("8", &owned()), before.get(&of("a")).copied()),
            None
        );
        assert_eq!(
            pods.remove(&of("a"), before[&of("a")]),
            None,
            "made since the list"
        );
        assert_eq!(pods.get(&of("a")).unwrap().version, 9);
    }

    #[test]
    fn a_deletion_that_overtakes_the_answer_of_a_write_counts() {
        let pods = pods();
        let write = pods.write(of("a"));
        assert_eq!(pods.remove(&of("a"), 21), None, "not yet known");
        write.done(child("20", &owned()));
        assert!(pods.get(&of("a")).is_none());
        // Made again: its version is higher.
        let write = pods.write(of("a"));
        pods.remove(&of("a"), 21);
        write.done(child("22", &owned()));
        assert!(pods.get(&of("a")).is_some());
        assert!(pods.entries.lock().writes.is_empty());
    }

    #[test]
    fn changes_of_others_in_an_answer_are_news() {
        let pods = pods();
        let with = |version, generation| {
            let mut object = child(version, &owned());
            object.metadata.generation = Some(generation);
            object
        };
        pods.put(with("1", 1));
        assert!(!pods.write(of("a")).done(with("2", 1)));
        assert!(
            pods.write(of("a")).done(with("4", 2)),
            "version 3 was somebody else's"
        );
    }
}
