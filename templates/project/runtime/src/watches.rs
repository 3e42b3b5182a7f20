//! Watches: the objects and changes that trigger the passes of a controller.

use crate::cache::{Cached, Owners, Values, View};
use crate::cluster::{Affects, Watched};
use crate::controller::Controller;
use crate::name::Name;
use crate::object::Object;
use crate::objects::Objects;
use crate::selection::Watch;
use crate::typed::call;
use k8s_openapi::NamespaceResourceScope;
use kube::api::ApiResource;
use std::any::TypeId;
use std::sync::Arc;

impl<K: Object, S: Send + Sync + 'static> Controller<K, S> {
    /// Selects the objects to reconcile, and the changes that trigger a pass.
    pub fn objects(mut self, watch: Watch<K>) -> Self {
        watch.apply_to(&mut self.views.objects);
        // The pass of what is gone forgets its failures.
        self.views.objects.predicates.delete = None;
        self
    }

    /// Watches the objects of a kind that the reconciler applies. A change of such an object
    /// reconciles the owner of the object.
    ///
    /// Rights: `list` and `watch` of the kind.
    pub fn owns<Child: Object>(self) -> Self {
        self.owns_with(Watch::<Child>::new())
    }

    /// Watches a kind like [`Controller::owns`], but only the objects and changes that `watch`
    /// selects. `watch` must select every child that the reconciler applies.
    ///
    /// Rights: `list` and `watch` of the kind.
    pub fn owns_with<Child: Object>(mut self, watch: Watch<Child>) -> Self {
        let objects = &self.views.objects;
        let owners = (objects.kind.clone(), objects.namespaced);
        let mut view = view::<Child>(Some(owners));
        watch.apply_to(&mut view);
        self.views.children.push(view);
        self
    }

    /// Watches a kind like [`Controller::owns_with`]. Children of the kind may also be in other
    /// namespaces than their owner, or cluster-scoped, such as a `ClusterRole` of a namespaced
    /// object. Kubernetes allows no owner reference there, so the annotation `opctl.dev/owner` of
    /// such a child names its owner. When the owner has been deleted, this controller deletes the
    /// child, even if the owner was deleted while the operator was not running.
    ///
    /// The kind is watched in all namespaces, even with `--watch-namespace`. Anyone who can create
    /// an object of the kind can write such an annotation.
    ///
    /// ```
    /// use k8s_openapi::api::{core::v1::Pod, rbac::v1::ClusterRole};
    /// use runtime::{Action, Context, Controller, Watch};
    /// # async fn reconcile(_: std::sync::Arc<Pod>, _: std::sync::Arc<Context>) -> anyhow::Result<Action> {
    /// #     Ok(Action::done())
    /// # }
    ///
    /// let roles = Watch::<ClusterRole>::new();
    /// let controller = Controller::namespaced("pod", reconcile).owns_across_namespaces(roles);
    /// ```
    ///
    /// Rights: `list`, `watch` and `delete` of the kind.
    pub fn owns_across_namespaces<Child: Object>(self, watch: Watch<Child>) -> Self {
        let mut controller = self.owns_with(watch);
        let added = controller.views.children.last_mut();
        added.expect("one was added").across_namespaces = true;
        controller
    }

    /// Watches the objects of a kind to which reconciled objects refer without owning them, such as
    /// a `Secret`. `names` returns the names to which a reconciled object refers. When a watched
    /// object is created, changed or deleted, every object that refers to it is reconciled.
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
    pub fn watches<Other: Object>(
        self,
        names: impl Fn(&K) -> Vec<Name> + Send + Sync + 'static,
    ) -> Self {
        self.watches_with(Watch::<Other>::new(), names)
    }

    /// Watches a kind like [`Controller::watches`], but only the objects and changes in `watch`.
    ///
    /// Rights: `list` and `watch` of the kind.
    pub fn watches_with<Other: Object>(
        mut self,
        watch: Watch<Other>,
        names: impl Fn(&K) -> Vec<Name> + Send + Sync + 'static,
    ) -> Self {
        let mut view = view::<Other>(None);
        watch.apply_to(&mut view);
        let references = references(names, view.namespaced);
        let indexes = &mut self.views.objects.indexes;
        let number = indexes.len();
        indexes.push((None, references));
        let affects: Affects = Box::new(move |cluster, key, _| {
            let objects = &cluster.views.objects;
            let referrers = objects.select(None, Some((number, key.clone())));
            referrers.into_iter().map(|(key, _)| key).collect()
        });
        self.views.watched.push(Watched { view, affects });
        self
    }

    /// Watches the objects of a kind that may affect any reconciled objects, such as all objects in
    /// the same namespace, or objects that the watched object selects by labels or names. `map`
    /// gets a watched object that was created, changed or deleted, and the cached objects of the
    /// reconciled kind. `map` returns the names of the objects to reconcile. A change calls `map`
    /// with the states before and after it, so that objects affected before are also reconciled.
    /// The start of the operator calls `map` with every watched object.
    ///
    /// A name without a namespace means an object in the namespace of the watched object. `map`
    /// must not block: the controller does nothing else while `map` runs.
    ///
    /// ```
    /// use k8s_openapi::api::core::v1::{LimitRange, Pod};
    /// use runtime::{Action, Context, Controller, Name, Objects, Watch};
    /// # async fn reconcile(_: std::sync::Arc<Pod>, _: std::sync::Arc<Context>) -> anyhow::Result<Action> {
    /// #     Ok(Action::done())
    /// # }
    ///
    /// /// The pods in the namespace of a LimitRange.
    /// fn pods(range: &LimitRange, all: &Objects<Pod>) -> Vec<Name> {
    ///     let namespace = range.metadata.namespace.as_deref().unwrap_or_default();
    ///     all.in_namespace(namespace).names()
    /// }
    ///
    /// let controller = Controller::namespaced("pod", reconcile).watches_map(Watch::new(), pods);
    /// ```
    ///
    /// Rights: `list` and `watch` of the kind.
    pub fn watches_map<Other: Object>(
        mut self,
        watch: Watch<Other>,
        map: impl Fn(&Other, &Objects<K>) -> Vec<Name> + Send + Sync + 'static,
    ) -> Self {
        let mut view = view::<Other>(None);
        watch.apply_to(&mut view);
        let namespaced = self.views.objects.namespaced;
        let affects: Affects = Box::new(move |cluster, key, states| {
            let objects = Objects::new(cluster.clone());
            let names = |state: &Arc<Cached>| call(&state.json(), |other| map(other, &objects));
            let keyed = |name: Name| name.key(key.namespace(), namespaced);
            states.iter().flat_map(names).map(keyed).collect()
        });
        self.views.watched.push(Watched { view, affects });
        self
    }

    /// Watches a kind like [`Controller::watches_with`], but caches only the metadata of the
    /// objects, for kinds with large objects. [`Context::get`](crate::Context::get) then requests
    /// the object from the API server.
    ///
    /// Rights: `list` and `watch` of the kind.
    pub fn watches_metadata<Other: Object>(
        self,
        watch: Watch<Other>,
        names: impl Fn(&K) -> Vec<Name> + Send + Sync + 'static,
    ) -> Self {
        self.watches_with(watch.metadata_only(), names)
    }

    /// Lets the reconciler read objects of a kind without a watch:
    /// [`Context::get`](crate::Context::get) requests each object from the API server. Use this for
    /// objects with restricted access, such as a `Secret`: a role can grant `get` of single names,
    /// but `list` and `watch` show all objects. A change of such an object triggers no pass, so
    /// reconcile again after some time: [`Action::requeue`](crate::Action::requeue).
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
    pub fn reads<Other: Object>(mut self) -> Self {
        let read = view::<Other>(None);
        self.views.read.push((read.kind.clone(), read.namespaced));
        self
    }
}

fn view<K: Object>(owners: Option<Owners>) -> View {
    let namespaced = TypeId::of::<K::Scope>() == TypeId::of::<NamespaceResourceScope>();
    View::new(ApiResource::erase::<K>(&()), namespaced, owners)
}

fn references<K: Object>(
    names: impl Fn(&K) -> Vec<Name> + Send + Sync + 'static,
    namespaced: bool,
) -> Values {
    let names = move |object: &K| {
        let namespace = object.meta().namespace.as_deref();
        let named = names(object).into_iter();
        named.map(|name| name.key(namespace, namespaced)).collect()
    };
    Arc::new(move |json| call(json, &names))
}
