//! Caches the API server's answers to own writes (writes by this process). Each row is one case:
//! above, what the cache sees, in order of time, and below it, what the cache does. The write makes
//! version `v8` from `v7`, or `v9` if another client has already made `v8`:
//!
//! ```text
//! answer first   write ─────── answer v8 ──────────── event v8
//!                              cached                 an echo: triggers no pass
//!
//! event first    write ─────── event v8 ───────────── answer v8
//!                              cached, triggers       older or the same: dropped
//!
//! also by        write ─────── answer v9 ─── event v8 (not own) ─── event v9
//! others                       cached        triggers the pass      an echo
//!                                            that v9 did not
//!
//! of another     answer v8 ─── event v8
//! controller     triggers      the same: dropped
//!                a pass
//!
//! deleted        write ─────── event: v9 deleted ──── answer v8
//! meanwhile                    removed                older than the deletion: dropped
//!
//! a list         write ─────── list begins ─── answer v8 ─── list ends, without the object
//! meanwhile                                    cached        created after the list, or
//!                                                            deleted before: to be checked
//!
//! a list         write ─────── list ends, without the object ──── answer v8
//! before                       removed                            may be deleted: triggers a pass
//! ```
//!
//! `Entries::writes` records deletions and ended lists during a write, `Entries::echoes` the own
//! versions that the watch has not reported yet, and `Entries::written` the answers during a list.

use super::{Entries, Key, View, version};
use crate::observed::Observed;
use crate::priority::Priority;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// A write that the API server has not answered yet.
pub struct Write<'a> {
    view: &'a View,
    key: Key,
}

/// The outcome of an answered write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// Nothing is left to do: the cache is at least as new as the answer.
    Kept,
    /// The answer also contains changes by other clients, which no pass has seen, and which the
    /// watch does not report again.
    News,
    /// The object of the answer was not cached, because a list has ended since the request: if the
    /// list is newer than the write, the object may be deleted, and the watch does not report this
    /// deletion.
    Unsure,
}

impl View {
    /// Begins a write of the object. Call this before the request is sent: see [`Write::done`].
    pub fn write(&self, key: Key) -> Write<'_> {
        let mut entries = self.cache.entries.lock();
        entries.writes.entry(key.clone()).or_default().count += 1;
        Write { view: self, key }
    }
}

impl Write<'_> {
    /// Caches the object of the answer, so that the next pass sees it without waiting for the
    /// watch, and reports a change to the other views of the cache. Does neither if the watch
    /// has already reported a later deletion of the object.
    pub fn done(self, object: Observed) -> Done {
        let (version, cache) = (version(&object), &self.view.cache);
        let after = metadata_of_others(object.metadata.clone());
        let Some(cached) = cache.cached(object, version) else {
            return Done::Kept;
        };
        let states = {
            // One lock for all of this: the watch changes the cache at the same time.
            let entries = &mut *cache.entries.lock();
            let meanwhile = entries.writes.get(&self.key);
            let deleted = meanwhile.map_or(0, |writes| writes.deleted);
            let list_ended = meanwhile.is_some_and(|writes| writes.list_ended);
            let before = entries.objects.get(&self.key);
            if version <= deleted || before.is_some_and(|before| before.version >= version) {
                return Done::Kept;
            }
            // An object that the list showed is there, and the watch tells what becomes of it.
            if list_ended && before.is_none() {
                return Done::Unsure;
            }
            let states = entries.put(&self.key, cached);
            let echoes = entries.echoes.entry(self.key.clone()).or_default();
            echoes.push((version, self.view.id));
            if !entries.listing.is_empty() {
                entries.written.insert(self.key.clone(), version);
            }
            states
        };
        let before = states[0].as_ref().and_then(|before| before.metadata().ok());
        let is_other = |view| view != self.view.id;
        cache.publish(&self.key, states, Priority::High, is_other);
        let news = before.is_some_and(|before| metadata_of_others(before) != after);
        if news { Done::News } else { Done::Kept }
    }
}

impl Drop for Write<'_> {
    fn drop(&mut self) {
        let mut entries = self.view.cache.entries.lock();
        if let Some(writes) = entries.writes.get_mut(&self.key) {
            writes.count -= 1;
            if writes.count == 0 {
                entries.writes.remove(&self.key);
            }
        }
    }
}

impl Entries {
    /// Records that the watch has reported this version of the object. If another client made this
    /// version, returns the ids of the views that wrote the object later: the controllers of these
    /// views have had no pass for the other client's change.
    pub(super) fn record_event(&mut self, key: &Key, version: u64) -> Vec<usize> {
        let Some(echoes) = self.echoes.get_mut(key) else {
            return Vec::new();
        };
        let is_own = echoes.iter().any(|(echo, _)| *echo == version);
        echoes.retain(|(echo, _)| *echo > version);
        let writers = echoes.iter().map(|(_, view)| *view).filter(|_| !is_own);
        let writers = writers.collect();
        if echoes.is_empty() {
            self.echoes.remove(key);
        }
        writers
    }
}

/// Returns the metadata without the fields that every write changes, so that two versions
/// can be compared. The generation, which changes with the spec, stays.
fn metadata_of_others(mut metadata: ObjectMeta) -> ObjectMeta {
    metadata.resource_version = None;
    metadata.managed_fields = None;
    metadata
}
