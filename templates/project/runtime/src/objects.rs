//! Selections of cached objects.

use crate::cache::{Cached, Key, View};
use crate::cluster::Cluster;
use crate::name::Name;
use crate::object::Object;
use crate::typed::typed;
use kube::api::ApiResource;
use kube::core::{Selector, SelectorExt};
use std::{collections::BTreeMap, marker::PhantomData, sync::Arc};

/// The objects of a kind in the caches of a controller, or a selection of them: see
/// [`Context::objects`](crate::Context::objects) and
/// [`Controller::watches_map`](crate::Controller::watches_map). No function of this type sends a
/// request.
///
/// The caches show a write by this operator as soon as the API server answers it, and a write by
/// another client once the watch reports it. Objects whose deletion is not complete are included.
/// Objects that the API server has reported as gone are left out.
///
/// ```
/// use k8s_openapi::api::core::v1::Pod;
/// use kube::ResourceExt;
/// use kube::core::Selector;
/// use runtime::{Context, Name};
///
/// fn front(ctx: &Context) -> anyhow::Result<Vec<Name>> {
///     let pods = ctx.objects::<Pod>()?.in_namespace("default");
///     let labels = Selector::from_iter([("tier", "front")]);
///     for pod in pods.with_labels(&labels).list() {
///         println!("{}", pod.name_any());
///     }
///     Ok(pods.by_index("by-node", "worker-1").names())
/// }
/// ```
#[derive(Clone)]
#[must_use]
pub struct Objects<K> {
    cluster: Arc<Cluster>,
    namespace: Option<String>,
    labels: Selector,
    indexed: Option<(String, Key)>,
    kind: PhantomData<fn(K)>,
}

impl<K: Object> Objects<K> {
    pub(crate) fn new(cluster: Arc<Cluster>) -> Self {
        Self {
            cluster,
            namespace: None,
            labels: Selector::default(),
            indexed: None,
            kind: PhantomData,
        }
    }

    /// Selects the objects in a namespace.
    pub fn in_namespace(&self, namespace: &str) -> Self {
        let mut selected = self.clone();
        selected.namespace = Some(namespace.to_owned());
        selected
    }

    /// Selects the objects with these labels. Reads the labels of all objects in the selection so
    /// far: for thousands of objects, an index is faster.
    pub fn with_labels(&self, labels: &Selector) -> Self {
        let mut selected = self.clone();
        selected.labels = labels.clone();
        selected
    }

    /// Selects the objects with this value in an index: see [`Watch::index`](crate::Watch::index).
    ///
    /// # Panics
    /// Panics if the kind has no index of this name.
    pub fn by_index(&self, index: &str, value: &str) -> Self {
        let has_index = |view: &View| view.index(index).is_some();
        let is_there = self.views().any(has_index);
        assert!(is_there, "{} has no index named {index}", K::kind(&()));
        let mut selected = self.clone();
        selected.indexed = Some((index.to_owned(), Key::new(None, value)));
        selected
    }

    /// Returns the names of the objects, sorted by namespace and name.
    #[must_use]
    pub fn names(&self) -> Vec<Name> {
        self.select().keys().map(Name::of).collect()
    }

    /// Returns the objects, sorted by namespace and name. Leaves out an object that does not fit
    /// the Rust type, and logs its name.
    #[must_use]
    pub fn list(&self) -> Vec<K> {
        let parse = |(key, cached): (Key, Arc<Cached>)| {
            let (kind, read) = (K::kind(&()), typed(&cached.json()));
            let log = |error| tracing::warn!(%kind, ?key, "object is left out of a list: {error}");
            read.map_err(log).ok()
        };
        self.select().into_iter().filter_map(parse).collect()
    }

    fn views(&self) -> impl Iterator<Item = &View> {
        let all = self.cluster.views_of(ApiResource::erase::<K>(&()));
        all.filter(|view| view.has_all_of::<K>())
    }

    fn select(&self) -> BTreeMap<Key, Arc<Cached>> {
        let mut selected = BTreeMap::new();
        let namespace = self.namespace.as_deref();
        // A cache that was not the one of the last write may have an earlier state.
        let is_latest = |key: &Key, cached: &Cached| {
            let mut others = self.views().filter_map(|view| view.get(key));
            others.all(|other| other.version <= cached.version)
        };
        for view in self.views() {
            let indexed = self.indexed.as_ref();
            let indexed = indexed.map(|(index, value)| Some((view.index(index)?, value.clone())));
            if indexed == Some(None) {
                continue; // another watch of the kind has the index
            }
            let mut found = view.select(namespace, indexed.flatten());
            found.retain(|(key, cached)| is_latest(key, cached));
            selected.extend(found);
        }
        if !self.labels.selects_all() {
            let labels = |cached: &Cached| cached.metadata().unwrap_or_default().labels;
            let matches =
                |cached: &Cached| self.labels.matches(&labels(cached).unwrap_or_default());
            selected.retain(|_, cached| matches(cached));
        }
        selected
    }
}
