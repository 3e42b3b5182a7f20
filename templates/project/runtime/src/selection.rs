//! Selects the objects of a kind to watch, and the changes that trigger a pass.

#[cfg(all(test, feature = "testing"))]
mod tests;

use crate::cache::{Key, OfOne, Predicates, Values, View, whole_kind};
use crate::typed::{call, guarded, typed};
use kube::core::PartialObjectMeta;
use kube::runtime::watcher;
use serde::de::DeserializeOwned;
use std::any::TypeId;
use std::marker::PhantomData;
use std::sync::Arc;

/// A selection of a kind's objects that a controller watches, and of the changes of these objects
/// that trigger a pass.
///
/// ```
/// use k8s_openapi::api::core::v1::{ConfigMap, Pod};
/// use runtime::{Action, Context, Controller, Name, Watch};
/// # async fn reconcile(_: std::sync::Arc<Pod>, _: std::sync::Arc<Context>) -> anyhow::Result<Action> {
/// #     Ok(Action::done())
/// # }
///
/// // Large maps, a few at a time, and only where their data changes.
/// let maps = Watch::<ConfigMap>::new()
///     .labels("app=web")
///     .fields("metadata.name!=kube-root-ca.crt")
///     .page_size(50)
///     .predicate(|before, after| before.data != after.data);
/// let controller = Controller::namespaced("pod", reconcile)
///     .watches_with(maps, |_: &Pod| vec![Name::from("settings")]);
/// ```
#[must_use]
pub struct Watch<K> {
    config: watcher::Config,
    predicates: Predicates,
    indexes: Vec<(Option<&'static str>, Values)>,
    metadata_only: bool,
    kind: PhantomData<fn(K)>,
}

impl<K> Default for Watch<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> Watch<K> {
    /// Watches all objects and all of their changes.
    pub fn new() -> Self {
        Self {
            config: whole_kind(),
            predicates: Predicates::default(),
            indexes: Vec::new(),
            metadata_only: false,
            kind: PhantomData,
        }
    }

    /// Requests and caches only the metadata of the objects, for a kind with large objects. Call
    /// this function before `index` and the predicates: their closures then get only the metadata.
    ///
    /// A controller of `PartialObjectMeta<Pod>` reconciles pods by their metadata, and
    /// [`Context::children`](crate::Context::children) returns children of such a watch as
    /// `PartialObjectMeta`. If only the metadata of a child is cached, its fields cannot be
    /// compared: `apply` sends a request again after each change by another client and after a
    /// restart, and returns the child without its status.
    ///
    /// ```
    /// use k8s_openapi::api::{apps::v1::Deployment, core::v1::Pod};
    /// use kube::core::PartialObjectMeta;
    /// use runtime::{Action, Context, Controller, Watch};
    /// use std::sync::Arc;
    ///
    /// async fn reconcile(
    ///     pod: Arc<PartialObjectMeta<Pod>>,
    ///     ctx: Arc<Context>,
    /// ) -> anyhow::Result<Action> {
    ///     let children = ctx.children::<PartialObjectMeta<Deployment>>(&*pod)?;
    ///     println!("{} children", children.len());
    ///     Ok(Action::done())
    /// }
    ///
    /// let controller = Controller::namespaced("pod", reconcile)
    ///     .objects(Watch::<Pod>::new().metadata_only())
    ///     .owns_with(Watch::<Deployment>::new().metadata_only());
    /// ```
    pub fn metadata_only(self) -> Watch<PartialObjectMeta<K>> {
        Watch {
            config: self.config,
            predicates: self.predicates,
            indexes: self.indexes,
            metadata_only: true,
            kind: PhantomData,
        }
    }

    /// Watches only objects with these labels, such as `tier=front`.
    pub fn labels(mut self, selector: &str) -> Self {
        self.config = self.config.labels(selector);
        self
    }

    /// Watches only objects with these fields, such as `metadata.name=main`.
    pub fn fields(mut self, selector: &str) -> Self {
        self.config = self.config.fields(selector);
        self
    }

    /// Lists this many objects per page, instead of 100. Choose a smaller number for large objects.
    pub fn page_size(mut self, objects: u32) -> Self {
        self.config = self.config.page_size(objects);
        self
    }

    pub(crate) fn apply_to(self, view: &mut View)
    where
        K: 'static,
    {
        view.own().watched = self.config;
        view.own().metadata_only = self.metadata_only;
        view.type_of = TypeId::of::<K>();
        view.predicates = self.predicates;
        view.indexes.extend(self.indexes);
    }
}

impl<K: DeserializeOwned> Watch<K> {
    /// Triggers a pass for a change only if `when` returns true for the object before and after the
    /// change. The start of a deletion always triggers a pass. Other predicates decide about new
    /// and deleted objects. If only the metadata is watched, `when` gets objects with only
    /// metadata.
    pub fn predicate(mut self, when: impl Fn(&K, &K) -> bool + Send + Sync + 'static) -> Self {
        let parse = |json: &str| typed::<K>(json);
        self.predicates.update = Some(Box::new(move |before, after| {
            match (parse(before), parse(after)) {
                (Ok(before), Ok(after)) => guarded(|| when(&before, &after)).unwrap_or(true),
                _ => true,
            }
        }));
        self
    }

    /// Lets a new object trigger a reconciliation only if `when` returns true. All objects are new
    /// when the operator starts, so `when` can save the reconciliation of those that need no work.
    ///
    /// An object that is being deleted always triggers a reconciliation. A reconciled object that
    /// `when` rejects waits until it, a child, or a watched object that affects it changes; its
    /// resync period begins only then. When the operator starts, its children are also new and
    /// trigger its reconciliation, so the watch of the children also needs a predicate.
    ///
    /// ```
    /// use k8s_openapi::api::core::v1::ConfigMap;
    /// use runtime::Watch;
    ///
    /// let maps = Watch::<ConfigMap>::new()
    ///     .create_predicate(|map| map.data.is_some())
    ///     .delete_predicate(|map| map.data.is_some());
    /// ```
    pub fn create_predicate(mut self, when: impl Fn(&K) -> bool + Send + Sync + 'static) -> Self {
        self.predicates.create = Some(one(when));
        self
    }

    /// Triggers a pass for a deleted object only if `when` returns true for its last state. The
    /// deletion of a reconciled object never triggers a pass: use
    /// [`Controller::finalizer`](crate::Controller::finalizer) for a cleanup.
    pub fn delete_predicate(mut self, when: impl Fn(&K) -> bool + Send + Sync + 'static) -> Self {
        self.predicates.delete = Some(one(when));
        self
    }

    /// Keeps an index of the cached objects: `values` returns the values under which
    /// [`Objects::by_index`](crate::Objects::by_index) finds an object.
    ///
    /// ```
    /// use k8s_openapi::api::core::v1::Pod;
    /// use runtime::Watch;
    ///
    /// let pods = Watch::<Pod>::new().index("by-node", |pod| {
    ///     let node = pod.spec.as_ref().and_then(|spec| spec.node_name.clone());
    ///     node.into_iter().collect()
    /// });
    /// ```
    pub fn index(
        mut self,
        name: &'static str,
        values: impl Fn(&K) -> Vec<String> + Send + Sync + 'static,
    ) -> Self {
        let keys: Values = Arc::new(move |json: &str| {
            let values = call(json, &values).into_iter();
            values.map(|value| Key::new(None, &value)).collect()
        });
        self.indexes.push((Some(name), keys));
        self
    }
}

/// Returns `when` as a predicate on JSON, also true if the JSON does not fit `K` or `when` panics.
fn one<K: DeserializeOwned>(when: impl Fn(&K) -> bool + Send + Sync + 'static) -> OfOne {
    Box::new(move |json| {
        let object = typed::<K>(json).ok();
        let decided = object.and_then(|object| guarded(|| when(&object)));
        decided.unwrap_or(true)
    })
}
