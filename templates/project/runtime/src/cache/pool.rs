//! The caches of a process: one for each selection of objects, however many controllers need it.

use super::{Cache, Namespace, View};
use kube::{api::ApiResource, runtime::watcher};
use std::sync::Arc;

/// The number of objects in a page of a list. A whole page is in memory before its objects are
/// cached: with kube's default of 500, the start needs 10 MB in addition to the caches.
const PAGE: u32 = 100;

/// Returns the configuration of a watch of all objects of a kind.
pub fn whole_kind() -> watcher::Config {
    watcher::Config::default().page_size(PAGE)
}

/// The caches of a process.
#[derive(Default)]
pub struct Pool {
    pub caches: Vec<Arc<Cache>>,
    views: usize,
}

impl Pool {
    /// Connects `view` to the cache of its objects in `namespaces`, which other views may share.
    pub fn join(&mut self, view: &mut View, namespaces: &[Namespace]) {
        let unlisted = |namespace: &Namespace| (namespace.clone(), Default::default());
        view.own().listed = namespaces.iter().map(unlisted).collect();
        let known = self.caches.iter().find(|cache| cache.is_for(view)).cloned();
        match known {
            Some(known) => view.cache = known,
            None => self.caches.push(view.cache.clone()),
        }
        self.views += 1;
        view.join(self.views);
    }
}

impl Cache {
    pub(super) fn new(kind: ApiResource) -> Self {
        Self {
            kind,
            watched: whole_kind(),
            metadata_only: false,
            listed: Default::default(),
            declared: Default::default(),
            running: Default::default(),
            compressor: Default::default(),
            entries: Default::default(),
        }
    }

    /// Returns true if the cache contains exactly the objects that `view` needs.
    fn is_for(&self, view: &View) -> bool {
        self.kind == view.kind
            && self.watched == view.watched
            && self.metadata_only == view.metadata_only
            && self.listed.keys().eq(view.listed.keys())
    }
}
