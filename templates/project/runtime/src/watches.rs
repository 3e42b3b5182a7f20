//! Watches: the objects and changes that trigger the passes of a controller.

use crate::cache::{Cache, Predicate, References, Subject};
use crate::controller::{Controller, Object};
use crate::name::Name;
use crate::typed::{guarded, typed};
use k8s_openapi::NamespaceResourceScope;
use kube::Resource;
use kube::api::ApiResource;
use kube::runtime::watcher;
use serde::de::DeserializeOwned;
use std::any::TypeId;
use std::marker::PhantomData;

/// A selection of the objects of a kind that a controller watches, and of their changes that
/// trigger a pass.
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
pub struct Watch<K> {
    config: watcher::Config,
    predicate: Option<Predicate>,
    kind: PhantomData<fn(K)>,
}

impl<K> Default for Watch<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> Watch<K> {
    /// Watches all objects and all of their changes.
    #[must_use]
    pub fn new() -> Self {
        Self {
            config: watcher::Config::default(),
            predicate: None,
            kind: PhantomData,
        }
    }

    /// Watches only objects with these labels, such as `tier=front`.
    #[must_use]
    pub fn labels(mut self, selector: &str) -> Self {
        self.config = self.config.labels(selector);
        self
    }

    /// Watches only objects with these fields, such as `metadata.name=main`.
    #[must_use]
    pub fn fields(mut self, selector: &str) -> Self {
        self.config = self.config.fields(selector);
        self
    }

    /// Lists this many objects per page, instead of 500: choose fewer if the objects are large.
    #[must_use]
    pub fn page_size(mut self, objects: u32) -> Self {
        self.config = self.config.page_size(objects);
        self
    }

    /// Triggers a pass only for changes for which `matters` returns true, given the object before
    /// and after the change. A new object and a deletion always trigger a pass. Where only the
    /// metadata is watched, `matters` gets objects without the rest.
    #[must_use]
    pub fn predicate(mut self, matters: impl Fn(&K, &K) -> bool + Send + Sync + 'static) -> Self
    where
        K: DeserializeOwned,
    {
        let parse = |json: &str| typed::<K>(json);
        self.predicate = Some(Box::new(move |before, after| {
            match (parse(before), parse(after)) {
                (Ok(before), Ok(after)) => guarded(|| matters(&before, &after)).unwrap_or(true),
                _ => true,
            }
        }));
        self
    }

    pub(crate) fn apply_to(self, cache: &mut Cache) {
        (cache.watched, cache.predicate) = (self.config, self.predicate);
    }
}

impl<K: Object, S: Send + Sync + 'static> Controller<K, S> {
    /// Selects the objects to reconcile, and the changes that trigger a pass.
    #[must_use]
    pub fn objects(mut self, watch: Watch<K>) -> Self {
        watch.apply_to(&mut self.caches.objects);
        self
    }

    /// Watches the objects of a kind that the reconciler applies: when one of them changes, its
    /// owner is reconciled.
    ///
    /// Rights: `list` and `watch` of the kind.
    #[must_use]
    pub fn owns<Child: Resource<DynamicType = (), Scope: 'static>>(self) -> Self {
        self.owns_with(Watch::<Child>::new())
    }

    /// Like [`Controller::owns`], for a selection of the objects and of their changes. The
    /// selection must include every child that the reconciler applies.
    ///
    /// Rights: `list` and `watch` of the kind.
    #[must_use]
    pub fn owns_with<Child>(mut self, watch: Watch<Child>) -> Self
    where
        Child: Resource<DynamicType = (), Scope: 'static>,
    {
        let owner = Subject::Owner {
            kind: self.caches.objects.kind.clone(),
            namespaced: self.caches.objects.namespaced,
        };
        let mut cache = cache::<Child>(owner);
        watch.apply_to(&mut cache);
        self.caches.children.push(cache);
        self
    }

    /// Watches the objects of a kind to which reconciled objects refer without owning them, such as
    /// Secrets. `names` returns the names to which an object refers. When a watched object is
    /// created, changed or deleted, every object that refers to it is reconciled.
    /// [`Context::get`](crate::Context::get) reads watched objects.
    ///
    /// A name without a namespace means an object in the namespace of the object that refers to it.
    /// For another namespace, or if the reconciled kind is cluster-scoped, make the [`Name`] from
    /// `(namespace, name)`.
    ///
    /// ```
    /// use k8s_openapi::api::core::v1::{Pod, Secret};
    /// use runtime::{Action, Context, Controller, Name};
    /// # async fn reconcile(_: std::sync::Arc<Pod>, _: std::sync::Arc<Context>) -> anyhow::Result<Action> {
    /// #     Ok(Action::done())
    /// # }
    ///
    /// fn secrets(pod: &Pod) -> Vec<Name> {
    ///     let volumes = pod.spec.iter().flat_map(|spec| spec.volumes.iter().flatten());
    ///     let secrets = volumes.filter_map(|volume| volume.secret.as_ref()?.secret_name.as_ref());
    ///     secrets.map(Name::from).collect()
    /// }
    ///
    /// let controller = Controller::namespaced("pod", reconcile).watches::<Secret>(secrets);
    /// ```
    ///
    /// Rights: `list` and `watch` of the kind.
    #[must_use]
    pub fn watches<Other>(self, names: impl Fn(&K) -> Vec<Name> + Send + Sync + 'static) -> Self
    where
        Other: Resource<DynamicType = (), Scope: 'static>,
    {
        self.watches_with(Watch::<Other>::new(), names)
    }

    /// Like [`Controller::watches`], for a selection of the objects and of their changes.
    ///
    /// Rights: `list` and `watch` of the kind.
    #[must_use]
    pub fn watches_with<Other>(
        self,
        watch: Watch<Other>,
        names: impl Fn(&K) -> Vec<Name> + Send + Sync + 'static,
    ) -> Self
    where
        Other: Resource<DynamicType = (), Scope: 'static>,
    {
        self.watch(watch, names, false)
    }

    /// Like [`Controller::watches_with`], but caches only the metadata of the objects: for kinds
    /// with large objects. [`Context::get`](crate::Context::get) then requests the object from the
    /// API server.
    ///
    /// Rights: `list` and `watch` of the kind.
    #[must_use]
    pub fn watches_metadata<Other>(
        self,
        watch: Watch<Other>,
        names: impl Fn(&K) -> Vec<Name> + Send + Sync + 'static,
    ) -> Self
    where
        Other: Resource<DynamicType = (), Scope: 'static>,
    {
        self.watch(watch, names, true)
    }

    /// Lets the reconciler read objects of a kind without a watch: [`Context::get`](crate::Context::get)
    /// requests each from the API server. This is for objects that few may read, such as Secrets: a
    /// role can grant `get` of single names, but `list` and `watch` show all objects. No pass is
    /// triggered when such an object changes, so reconcile again after a while:
    /// [`Action::requeue`](crate::Action::requeue).
    ///
    /// ```
    /// use k8s_openapi::api::core::v1::{Pod, Secret};
    /// use runtime::{Action, Context, Controller};
    /// use std::{sync::Arc, time::Duration};
    ///
    /// async fn reconcile(pod: Arc<Pod>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    ///     let _password = ctx.get::<Secret>(&*pod, "password").await?;
    ///     Ok(Action::requeue(Duration::from_secs(60)))
    /// }
    ///
    /// let controller = Controller::namespaced("pod", reconcile).reads::<Secret>();
    /// ```
    ///
    /// Rights: `get` of the kind.
    #[must_use]
    pub fn reads<Other: Resource<DynamicType = (), Scope: 'static>>(mut self) -> Self {
        self.caches.read.push(cache::<Other>(Subject::Itself));
        self
    }

    fn watch<Other>(
        mut self,
        watch: Watch<Other>,
        names: impl Fn(&K) -> Vec<Name> + Send + Sync + 'static,
        metadata_only: bool,
    ) -> Self
    where
        Other: Resource<DynamicType = (), Scope: 'static>,
    {
        let mut cache = cache::<Other>(Subject::Itself);
        watch.apply_to(&mut cache);
        cache.metadata_only = metadata_only;
        let references = references(names, cache.namespaced);
        self.caches.objects.references.push(references);
        self.caches.watched.push(cache);
        self
    }
}

fn cache<K: Resource<DynamicType = (), Scope: 'static>>(subject: Subject) -> Cache {
    let namespaced = TypeId::of::<K::Scope>() == TypeId::of::<NamespaceResourceScope>();
    Cache::new(ApiResource::erase::<K>(&()), namespaced, subject)
}

fn references<K: Object>(
    names: impl Fn(&K) -> Vec<Name> + Send + Sync + 'static,
    namespaced: bool,
) -> References {
    Box::new(move |json| {
        let Ok(object) = typed::<K>(json) else {
            return Vec::new();
        };
        let namespace = object.meta().namespace.as_deref();
        let named = guarded(|| names(&object)).unwrap_or_else(|| {
            let name = &object.meta().name;
            tracing::error!(?name, "the function that names watched objects panicked");
            Vec::new()
        });
        let named = named.into_iter();
        named.map(|name| name.key(namespace, namespaced)).collect()
    })
}
