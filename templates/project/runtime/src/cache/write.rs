//! Own writes: their answers are faster than the watch, and may be slower.

use super::{Cache, Key, version};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::api::DynamicObject;

/// Own writes whose answers are still on their way.
#[derive(Default)]
pub(super) struct Writes {
    pub count: u32,
    /// The highest version at which the object was seen to be deleted meanwhile.
    pub deleted: u64,
    /// True if a list has ended meanwhile.
    pub outlived: bool,
}

/// A write that the API server has not answered yet.
pub struct Write<'a> {
    cache: &'a Cache,
    key: Key,
}

/// The outcome of an answered write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// Nothing: the cache has its object, or a newer one.
    Kept,
    /// The answer also has changes of others, of which no pass knows: the watch will not tell them
    /// again.
    News,
    /// The cache does not have its object, because a list has ended since the request: if that
    /// showed a later time, the object may be gone, and the watch will not tell.
    Unsure,
}

impl<'a> Write<'a> {
    pub(super) fn new(cache: &'a Cache, key: Key) -> Self {
        Self { cache, key }
    }

    /// Keeps the object of the answer, so that the next pass sees it without waiting for the watch.
    /// The watch may have been faster: an object that was deleted after this write does not come
    /// back.
    pub fn done(self, object: DynamicObject) -> Done {
        let version = version(&object);
        let Some(subject) = self.cache.subject_of(&object) else {
            return Done::Kept;
        };
        let after = said_by_others(object.metadata.clone());
        // One lock for all of it: the watch works at the same time.
        let mut entries = self.cache.entries.lock();
        let meanwhile = entries.writes.get(&self.key);
        let deleted = meanwhile.map_or(0, |writes| writes.deleted);
        let outlived = meanwhile.is_some_and(|writes| writes.outlived);
        let before = entries.objects.get(&self.key);
        if version <= deleted || before.is_some_and(|before| before.version >= version) {
            return Done::Kept;
        }
        // An object that the list showed is there, and the watch tells what becomes of it.
        if outlived && before.is_none() {
            return Done::Unsure;
        }
        let before: Option<DynamicObject> =
            before.and_then(|before| serde_json::from_str(&before.json).ok());
        let news = before.is_some_and(|before| said_by_others(before.metadata) != after);
        if let Some(cached) = self.cache.cached(object, version, subject) {
            entries.put(self.key.clone(), cached);
        }
        if !entries.listing.is_empty() {
            entries.written.insert(self.key.clone(), version);
        }
        if news { Done::News } else { Done::Kept }
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
