//! The second argument of every reconciler.

#[cfg(all(test, feature = "testing"))]
mod tests;

use crate::apply::Owner;
use crate::cache::{Cached, Key, key};
use crate::cluster::Cluster;
use crate::typed::typed;
use anyhow::Context as _;
use kube::api::ApiResource;
use kube::core::object::HasStatus;
use kube::runtime::events::EventType;
use kube::{Client, Resource};
use serde::{Serialize, de::DeserializeOwned};
use std::sync::Arc;

/// The second argument of a reconciler: a client, calls that know what the controller has seen, and
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
    /// Reads whatever the role of the operator allows. While another replica leads, it writes
    /// nothing.
    pub client: Client,
    /// The state that the controller was added with: see
    /// [`Manager::add_with`](crate::Manager::add_with).
    pub state: Arc<S>,
    pub(crate) cluster: Arc<Cluster>,
}

impl<S> Context<S> {
    pub(crate) fn new(cluster: Arc<Cluster>, state: Arc<S>) -> Self {
        let client = cluster.client.clone();
        Self {
            client,
            state,
            cluster,
        }
    }

    /// Makes `desired` a child of `owner`, and gives it as the cluster has it, with its status. It
    /// gets the namespace of its owner unless it says another.
    ///
    /// Sends nothing if the child that was last seen holds every field of `desired`. So a child
    /// that somebody changed or deleted is put right, and all others cost no request.
    ///
    /// Rights: `create` and `patch` of the child's kind.
    ///
    /// A cluster that checks who may keep an owner from being deleted, as OpenShift does, also asks
    /// for `update` of the `finalizers` of the owner's kind.
    ///
    /// # Errors
    /// A kind that the controller does not own; a refusal of the API server; an object of that
    /// name that is not the operator's, which is left alone.
    pub async fn apply<O, K>(&self, owner: &O, desired: K) -> anyhow::Result<K>
    where
        O: Resource<DynamicType = ()>,
        K: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
    {
        let (owner, kind) = (Owner::of(owner)?, ApiResource::erase::<K>(&()));
        let desired = serde_json::to_value(desired)?;
        let stored = self.cluster.apply(&owner, &kind, desired).await?;
        Ok(serde_json::from_value(stored)?)
    }

    /// Deletes the child of `owner` that has this name, if there is one: for a child that is no
    /// longer wanted. An object of that name that is not a child of `owner` is left alone. The
    /// namespace is that of `owner`; for another one, `name` is `(namespace, name)`.
    ///
    /// Sends nothing if no child of that name was seen, or if it is being deleted already.
    ///
    /// Rights: `delete` of the child's kind.
    ///
    /// # Errors
    /// A kind that the controller does not own; a refusal of the API server.
    pub async fn remove<K>(
        &self,
        owner: &impl Resource<DynamicType = ()>,
        name: impl Into<Name>,
    ) -> anyhow::Result<()>
    where
        K: Resource<DynamicType = ()>,
    {
        let (owner, kind) = (Owner::of(owner)?, ApiResource::erase::<K>(&()));
        self.cluster.remove(&owner, &kind, name.into()).await
    }

    /// The children of `owner` of one kind, as they were seen last, in the order of their names:
    /// from memory, without a request.
    ///
    /// # Errors
    /// A kind that the controller does not own, or a type that a child does not fit.
    pub fn children<K>(&self, owner: &impl Resource<DynamicType = ()>) -> anyhow::Result<Vec<K>>
    where
        K: Resource<DynamicType = ()> + DeserializeOwned,
    {
        let (owner, kind) = (Owner::of(owner)?, ApiResource::erase::<K>(&()));
        let children = self.cluster.children_of(&owner, &kind)?;
        children.iter().map(parse).collect()
    }

    /// The object of a watched kind that has this name, as it was seen last: from memory, without a
    /// request. It is looked for in the namespace of `obj`, if the kind has namespaces; for another
    /// one, `name` is `(namespace, name)`.
    ///
    /// Where only the metadata is watched, it asks the API server.
    ///
    /// # Errors
    /// A kind that the controller does not watch; a refusal of the API server.
    pub async fn get<K>(
        &self,
        obj: &impl Resource<DynamicType = ()>,
        name: impl Into<Name>,
    ) -> anyhow::Result<Option<K>>
    where
        K: Resource<DynamicType = ()> + DeserializeOwned,
    {
        let (kind, name) = (ApiResource::erase::<K>(&()), name.into());
        let found = self.cluster.get(&kind, name, obj.meta().namespace.as_ref());
        let found = found.await?;
        Ok(found.as_deref().map(typed).transpose()?)
    }

    /// Applies `status`, unless the object has it already.
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
    /// A refusal of the API server. An object that is gone meanwhile is no error.
    pub async fn apply_status<K>(&self, obj: &K, status: K::Status) -> anyhow::Result<()>
    where
        K: Resource<DynamicType = ()> + HasStatus + DeserializeOwned,
        K::Status: PartialEq + Serialize,
    {
        let key = key(obj);
        // An earlier call of the same pass may have changed it.
        let latest = self.cluster.objects.get(&key);
        let latest: Option<K> = latest.and_then(|latest| parse(&latest).ok());
        if latest.as_ref().unwrap_or(obj).status() == Some(&status) {
            return Ok(());
        }
        let status = serde_json::to_value(status)?;
        self.cluster.write_status(key, status).await
    }

    /// Publishes an event: `kubectl describe` shows it. `reason` is one CamelCase word for
    /// programs, `note` is for people. No pass waits for it, and one that the API server does not
    /// take is only logged.
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
    typed(&cached.json).context("an object does not fit its Rust type")
}

/// The name of an object, and its namespace if that is not the one of the object that names it.
///
/// ```
/// use runtime::Name;
///
/// let same_namespace = Name::from("password");
/// let another = Name::from(("vault", "password"));
/// assert_ne!(same_namespace, another);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    namespace: Option<String>,
    name: String,
}

impl Name {
    /// The key of the object, as named by one in `namespace`.
    pub(crate) fn key(self, namespace: Option<&String>, namespaced: bool) -> Key {
        let namespace = self.namespace.or_else(|| namespace.cloned());
        (namespace.filter(|_| namespaced), self.name)
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        name.to_owned().into()
    }
}

impl From<&String> for Name {
    fn from(name: &String) -> Self {
        name.clone().into()
    }
}

impl From<String> for Name {
    fn from(name: String) -> Self {
        let namespace = None;
        Self { namespace, name }
    }
}

impl<N: Into<String>> From<(N, N)> for Name {
    fn from((namespace, name): (N, N)) -> Self {
        let (namespace, name) = (Some(namespace.into()), name.into());
        Self { namespace, name }
    }
}
