//! The second argument of every reconciler.

#[cfg(all(test, feature = "testing"))]
mod tests;

use crate::apply::Child;
use crate::cache::{Cached, Key, Owner, View};
use crate::cluster::Cluster;
use crate::exact::foreign;
use crate::name::Name;
use crate::object::Object;
use crate::objects::Objects;
use crate::typed::typed;
use anyhow::{Context as _, bail, ensure};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kube::{Client, Resource, api::ApiResource};
use kube::{core::object::HasStatus, runtime::events::EventType};
use serde::{Serialize, de::DeserializeOwned};
use std::sync::Arc;

/// The second argument of a reconciler: a client, functions that use the controller's caches, and
/// the author's own state.
///
/// ```
/// use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret};
/// use kube::ResourceExt;
/// use runtime::{Action, Context};
/// use std::sync::Arc;
///
/// /// The controller's own state: which maps it makes.
/// struct Wanted(Vec<String>);
///
/// async fn reconcile(pod: Arc<Pod>, ctx: Arc<Context<Wanted>>) -> anyhow::Result<Action> {
///     for name in &ctx.state.0 {
///         let mut map = ConfigMap::default();
///         map.metadata.name = Some(name.clone());
///         ctx.apply(&*pod, map).await?;
///     }
///     for map in ctx.children::<ConfigMap>(&*pod)? {
///         if !ctx.state.0.contains(&map.name_any()) {
///             ctx.remove::<ConfigMap>(&*pod, map.name_any()).await?;
///             ctx.note(&*pod, "Removed", "a map is no longer wanted");
///         }
///     }
///     if ctx.get::<Secret>(&*pod, "password").await?.is_none() {
///         ctx.warn(&*pod, "NoPassword", "there is no Secret `password`");
///     }
///     Ok(Action::done())
/// }
/// ```
pub struct Context<S = ()> {
    /// A client with the operator's rights. While another replica leads, the client can only read.
    pub client: Client,
    /// The state with which the controller was added: see
    /// [`Manager::add_with`](crate::Manager::add_with).
    pub state: Arc<S>,
    pub(crate) cluster: Arc<Cluster>,
    /// The object that the pass reconciles; `None` outside of a pass.
    pub(crate) reconciled: Option<OwnerReference>,
}

impl<S> Context<S> {
    pub(crate) fn new(cluster: Arc<Cluster>, state: Arc<S>) -> Self {
        let client = cluster.client.clone();
        Self {
            client,
            state,
            cluster,
            reconciled: None,
        }
    }

    /// Makes a child of `owner` from `desired`. Fails if the pass reconciles another object.
    fn child<O, K>(&self, owner: &O, desired: K) -> anyhow::Result<Child<'_>>
    where
        O: Resource<DynamicType = ()>,
        K: Resource<DynamicType = ()> + Serialize,
    {
        let owner = Owner::of(owner)?;
        let of = &owner.reference;
        let is_another = |here: &&OwnerReference| here.kind == of.kind && here.uid != of.uid;
        if let Some(here) = self.reconciled.as_ref().filter(is_another) {
            let (kind, name, here) = (&of.kind, &of.name, &here.name);
            bail!(
                "{kind} {name} cannot get a child here, because this pass reconciles {kind} {here}, and two \
                 passes would change the child: apply it when {name} is reconciled, which \
                 `.watches_map(..)` or a `Trigger` can bring about, or make {here} the owner"
            );
        }
        let (kind, desired) = (ApiResource::erase::<K>(&()), serde_json::to_value(desired)?);
        Child::new(&self.cluster, owner, kind, desired)
    }

    /// Applies `desired` as a child of `owner`, and returns the child as the cluster has it, with
    /// its status; without a status if only the metadata of the kind is cached. `desired` needs a name, by which the next pass finds the child. The child gets
    /// the namespace of its owner unless `desired` has a namespace.
    ///
    /// Sends no request if the cached child has every field of `desired`: a changed or deleted
    /// child is restored, and an unchanged child costs no request. Fields that other clients set
    /// and `desired` lacks stay unchanged, such as additional labels, keys of a `ConfigMap` or
    /// containers of a `Deployment`; [`Context::apply_exactly`] removes them. A field that an
    /// earlier pass applied is removed if `desired` lacks it.
    ///
    /// An existing child with the same name that is not in the cache stays unchanged, because the
    /// reconciler could not read it: the pass is repeated after a second, with the child in the
    /// cache. Use [`Context::create_once`] for a child that must be made only once, such as a
    /// password.
    ///
    /// A type of k8s-openapi always sends the fields that the API requires, such as an empty list
    /// of containers. To apply only a part of a child that [`Context::create_once`] has made, and
    /// leave the other fields to other clients, write a type with this part:
    ///
    /// ```
    /// use k8s_openapi::api::apps::v1::Deployment;
    /// use k8s_openapi::api::core::v1::Pod;
    /// use kube::{Resource, api::ObjectMeta};
    /// use runtime::Context;
    /// use serde::{Deserialize, Serialize};
    ///
    /// /// The size of a Deployment.
    /// #[derive(Deserialize, Resource, Serialize)]
    /// #[resource(inherit = Deployment)]
    /// struct Size {
    ///     metadata: ObjectMeta,
    ///     spec: SizeSpec,
    /// }
    ///
    /// #[derive(Deserialize, Serialize)]
    /// struct SizeSpec {
    ///     replicas: i32,
    /// }
    ///
    /// async fn resize(pod: &Pod, ctx: &Context, name: &str, replicas: i32) -> anyhow::Result<()> {
    ///     let (name, spec) = (Some(name.to_owned()), SizeSpec { replicas });
    ///     let metadata = ObjectMeta { name, ..Default::default() };
    ///     ctx.apply(pod, Size { metadata, spec }).await?;
    ///     Ok(())
    /// }
    /// ```
    ///
    /// Rights: `create` and `patch` of the child's kind.
    ///
    /// A cluster with the admission plugin `OwnerReferencesPermissionEnforcement`, such as
    /// OpenShift, also requires `update` of the `finalizers` of the owner's kind.
    ///
    /// # Errors
    /// Fails if the controller does not own the kind, if `owner` is not the reconciled object, if
    /// the API server refuses the request, or if an object with that name belongs to another owner
    /// or was not made by the operator. Such an object stays unchanged.
    /// [`ApplyError`](crate::ApplyError) distinguishes these errors.
    pub async fn apply<O, K>(&self, owner: &O, desired: K) -> anyhow::Result<K>
    where
        O: Resource<DynamicType = ()>,
        K: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
    {
        let child = self.child(owner, desired)?;
        let applied = child.with_desired(child.apply().await?);
        Ok(serde_json::from_value(applied)?)
    }

    /// Applies `desired` like [`Context::apply`], and removes what other clients have added:
    /// - in each map that `desired` sets, such as the `data` of a `ConfigMap` or a `nodeSelector`,
    ///   the keys that `desired` lacks. The Rust type says which fields are maps.
    /// - in each list that `desired` sets, such as `containers` and `env`, the items that `desired`
    ///   lacks.
    ///
    /// A map or list that `desired` leaves out stays; a map or list that is empty in `desired` is
    /// emptied. The following parts also stay:
    /// - the `metadata` of the child, where controllers and tools keep labels and annotations, and
    ///   its `status`;
    /// - in other labels and annotations, for example in a pod template, the keys of
    ///   `kubernetes.io` and `k8s.io`: `kubectl rollout restart` sets such a key;
    /// - single fields that `desired` lacks, such as `replicas`: most of them have defaults;
    /// - `secrets` and `imagePullSecrets` of a `ServiceAccount`, which controllers extend.
    ///
    /// This costs one more request, but only if there is something to remove. Do not use this
    /// function for a `Pod`: the API server adds volumes to it, and refuses to remove these
    /// volumes.
    ///
    /// ```
    /// use k8s_openapi::api::core::v1::{ConfigMap, Pod};
    /// use runtime::Context;
    ///
    /// async fn settings(pod: &Pod, ctx: &Context, settings: ConfigMap) -> anyhow::Result<ConfigMap> {
    ///     ctx.apply_exactly(pod, settings).await
    /// }
    /// ```
    ///
    /// Rights: `create` and `patch` of the child's kind.
    ///
    /// # Errors
    /// Fails like [`Context::apply`]. An object that is not a child of `owner` stays unchanged.
    pub async fn apply_exactly<O, K>(&self, owner: &O, desired: K) -> anyhow::Result<K>
    where
        O: Resource<DynamicType = ()>,
        K: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
    {
        let child = self.child(owner, desired)?;
        let stored = child.apply().await?;
        let foreign = foreign::<K>(&child.desired, &stored);
        let stored = child.take_away(stored, foreign).await?;
        Ok(serde_json::from_value(child.with_desired(stored))?)
    }

    /// Creates `child` as a child of `owner` unless a child with its name exists, and returns the
    /// child as the cluster has it. Use this for a child that is made only once, such as a
    /// generated password. The content of an existing child is never changed.
    ///
    /// ```
    /// use k8s_openapi::api::core::v1::{Pod, Secret};
    /// use runtime::Context;
    ///
    /// async fn password(pod: &Pod, ctx: &Context, random: Secret) -> anyhow::Result<Secret> {
    ///     ctx.create_once(pod, random).await
    /// }
    /// ```
    ///
    /// Rights: `create` and `patch` of the child's kind. If the label of a child was removed, a
    /// patch restores the label.
    ///
    /// # Errors
    /// Fails like [`Context::apply`].
    pub async fn create_once<O, K>(&self, owner: &O, child: K) -> anyhow::Result<K>
    where
        O: Resource<DynamicType = ()>,
        K: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
    {
        let child = self.child(owner, child)?;
        Ok(serde_json::from_value(child.create_once().await?)?)
    }

    /// Deletes the child of `owner` with this name, if it exists. An object with that name that is
    /// not a child of `owner` stays unchanged. `name` means a child in the namespace of `owner`;
    /// for another namespace, pass `(namespace, name)`.
    ///
    /// Sends no request if the cache has no child of that name, or if the child is already being
    /// deleted.
    ///
    /// Rights: `delete` of the child's kind.
    ///
    /// # Errors
    /// Fails if the controller does not own the kind, or if the API server refuses the request.
    pub async fn remove<K: Object>(
        &self,
        owner: &impl Resource<DynamicType = ()>,
        name: impl Into<Name>,
    ) -> anyhow::Result<()> {
        let (owner, kind) = (Owner::of(owner)?, ApiResource::erase::<K>(&()));
        self.cluster.remove(&owner, &kind, name.into()).await
    }

    /// Returns the children of `owner` of one kind from the cache, sorted by namespace and name,
    /// without a request.
    ///
    /// # Errors
    /// Fails if the controller does not own the kind, if a child does not fit the Rust type, or if
    /// only the metadata of the kind is watched and `K` is not `PartialObjectMeta`.
    pub fn children<K: Object>(
        &self,
        owner: &impl Resource<DynamicType = ()>,
    ) -> anyhow::Result<Vec<K>> {
        let (owner, kind) = (Owner::of(owner)?, ApiResource::erase::<K>(&()));
        let (view, name) = (self.cluster.owned(&kind)?, &kind.kind);
        ensure!(
            view.has_all_of::<K>(),
            "only the metadata of {name} is in a cache: ask for `PartialObjectMeta<{name}>`"
        );
        let children = self.cluster.children_of(&owner, &kind)?;
        children.iter().map(parse).collect()
    }

    /// Returns the object with this name from the cache, without a request. The kind of the object
    /// may be watched, reconciled or owned. An object of an owned kind may be a child of any owner.
    /// `name` means an object in the namespace of `obj`, if the kind is namespaced; for another
    /// namespace, pass `(namespace, name)`.
    ///
    /// If only the metadata of the kind is watched, or if the controller
    /// [reads](crate::Controller::reads) the kind, the object is requested from the API server.
    ///
    /// # Errors
    /// Fails if the controller neither owns, watches nor reads the kind, if the API server refuses
    /// the request, or if the object does not fit the Rust type.
    pub async fn get<K: Object>(
        &self,
        obj: &impl Resource<DynamicType = ()>,
        name: impl Into<Name>,
    ) -> anyhow::Result<Option<K>> {
        let (kind, name) = (ApiResource::erase::<K>(&()), name.into());
        let namespace = obj.meta().namespace.as_deref();
        let found = self.cluster.get(&kind, name, namespace).await?;
        Ok(found.as_deref().map(typed).transpose()?)
    }

    /// Returns the cached objects of a kind that the controller reconciles, owns or watches.
    /// Functions of the returned value, such as `names` and `list`, send no request. Of an owned
    /// kind, the cache contains the children of all objects of this controller. While the operator
    /// starts, the cache may lack objects of other namespaces.
    ///
    /// ```
    /// use k8s_openapi::api::core::v1::Pod;
    /// use runtime::{Action, Context};
    /// use std::sync::Arc;
    ///
    /// async fn reconcile(pod: Arc<Pod>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    ///     let namespace = pod.metadata.namespace.as_deref().unwrap_or_default();
    ///     let beside = ctx.objects::<Pod>()?.in_namespace(namespace).list();
    ///     println!("{} pods", beside.len());
    ///     Ok(Action::done())
    /// }
    /// ```
    ///
    /// # Errors
    /// Fails if the controller does not watch the kind, or watches only its metadata and `K` is not
    /// `PartialObjectMeta`.
    pub fn objects<K: Object>(&self) -> anyhow::Result<Objects<K>> {
        let mut views = self.cluster.views_of(ApiResource::erase::<K>(&()));
        let (is_there, name) = (views.any(View::has_all_of::<K>), K::kind(&()));
        ensure!(
            is_there,
            "{name} is not in a cache: add `.owns::<{name}>()` or `.watches::<{name}>(..)`"
        );
        Ok(Objects::new(self.cluster.clone()))
    }

    /// Applies `status` to the object, unless the object has the same status already.
    ///
    /// ```
    /// use kube::core::object::HasStatus;
    /// use runtime::{Context, Object};
    ///
    /// #[derive(PartialEq, serde::Serialize)]
    /// struct Status {
    ///     replicas: i32,
    /// }
    ///
    /// async fn tell<K: Object + HasStatus<Status = Status>>(
    ///     obj: &K,
    ///     ctx: &Context,
    /// ) -> anyhow::Result<()> {
    ///     ctx.apply_status(obj, Status { replicas: 2 }).await
    /// }
    /// ```
    ///
    /// Rights: `patch` of the `status` of the object's kind.
    ///
    /// # Errors
    /// Fails if the API server refuses the request, or if the object has changed since it was
    /// cached: after such a change, the pass is repeated after a second. Does not fail if the
    /// object no longer exists.
    pub async fn apply_status<K>(&self, obj: &K, status: K::Status) -> anyhow::Result<()>
    where
        K: Resource<DynamicType = ()> + HasStatus + DeserializeOwned,
        K::Status: PartialEq + Serialize,
    {
        let key = Key::of(obj);
        // An earlier call of the same pass may have changed it.
        let latest = self.cluster.views.objects.get(&key);
        let latest: Option<K> = latest.and_then(|latest| parse(&latest).ok());
        let latest = latest.as_ref().unwrap_or(obj);
        let is_another = latest.meta().uid != obj.meta().uid;
        if is_another || latest.status() == Some(&status) {
            return Ok(());
        }
        let version = latest.meta().resource_version.clone();
        let status = serde_json::to_value(status)?;
        self.cluster.set_status(key, version, status).await
    }

    /// Publishes an event, which `kubectl describe` shows. `reason` is one CamelCase word for
    /// programs, `note` is for people. Events are sent in the background: no pass waits for them,
    /// and a refusal by the API server is only logged.
    pub fn note(&self, obj: &impl Resource<DynamicType = ()>, reason: &str, note: &str) {
        let (about, events) = (obj.object_ref(&()), &self.cluster.events);
        events.publish(about, EventType::Normal, reason, note);
    }

    /// Publishes a warning: see [`Context::note`].
    pub fn warn(&self, obj: &impl Resource<DynamicType = ()>, reason: &str, note: &str) {
        let (about, events) = (obj.object_ref(&()), &self.cluster.events);
        events.publish(about, EventType::Warning, reason, note);
    }
}

fn parse<K: DeserializeOwned>(cached: &Arc<Cached>) -> anyhow::Result<K> {
    typed(&cached.json()).context("an object does not fit its Rust type")
}
