//! What the author of a controller says about it.

use crate::action::Action;
use crate::cache::{Cache, Subject};
use crate::conditions;
use crate::context::Context;
use crate::finalizer::Finalizer;
use crate::manager::Shared;
use crate::worker::Worker;
use futures::{FutureExt, future::BoxFuture};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use k8s_openapi::{ClusterResourceScope, NamespaceResourceScope};
use kube::Resource;
use kube::api::ApiResource;
use kube::core::object::HasStatus;
use kube::runtime::watcher;
use serde::{Serialize, de::DeserializeOwned};
use std::any::TypeId;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;
use tokio::sync::mpsc::unbounded_channel;

/// A kind that can be reconciled: every type that derives `CustomResource`, and every built-in one.
pub trait Object:
    Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned + Send + Sync + 'static
{
}
impl<K> Object for K where
    K: Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned + Send + Sync + 'static
{
}

pub(crate) type Pass = BoxFuture<'static, anyhow::Result<Action>>;
type Told = BoxFuture<'static, anyhow::Result<()>>;
/// Calls the reconciler with an object that is still text. An error means that it does not fit the
/// Rust type.
pub(crate) type Reconcile =
    Box<dyn Fn(&str, Arc<Context>) -> serde_json::Result<Pass> + Send + Sync>;
/// Puts a condition into the status of an object.
pub(crate) type Tell =
    Box<dyn Fn(&str, Arc<Context>, Condition) -> serde_json::Result<Told> + Send + Sync>;

/// A kind of object and the function that reconciles it.
///
/// What depends on the kind's type is kept small here: the rest is compiled once for all kinds.
pub struct Controller<K> {
    pub(crate) parts: Parts,
    children: Vec<Cache>,
    kind: PhantomData<fn(K)>,
}

/// What the worker needs to know of a controller.
pub(crate) struct Parts {
    pub name: &'static str,
    pub namespaced: bool,
    pub kind: ApiResource,
    pub reconcile: Reconcile,
    pub tell: Option<Tell>,
    pub finalizer: Option<Finalizer>,
    pub watched: watcher::Config,
}

impl<K: Object> Controller<K> {
    /// Makes a controller of a kind whose objects live in namespaces. `name` appears in flags,
    /// metrics and events, and in the field manager: keep it.
    ///
    /// An object that is being deleted is not reconciled: its children go with it, and for
    /// everything else there is [`Controller::finalizer`].
    pub fn namespaced<R, E>(
        name: &'static str,
        reconcile: impl Fn(Arc<K>, Arc<Context>) -> R + Send + Sync + 'static,
    ) -> Self
    where
        K: Resource<Scope = NamespaceResourceScope>,
        R: Future<Output = Result<Action, E>> + Send + 'static,
        E: Into<anyhow::Error> + 'static,
    {
        Self::new(name, true, Box::new(erased(reconcile)))
    }

    /// Makes a controller of a kind whose objects live outside of namespaces: see
    /// [`Controller::namespaced`].
    pub fn cluster_scoped<R, E>(
        name: &'static str,
        reconcile: impl Fn(Arc<K>, Arc<Context>) -> R + Send + Sync + 'static,
    ) -> Self
    where
        K: Resource<Scope = ClusterResourceScope>,
        R: Future<Output = Result<Action, E>> + Send + 'static,
        E: Into<anyhow::Error> + 'static,
    {
        Self::new(name, false, Box::new(erased(reconcile)))
    }

    fn new(name: &'static str, namespaced: bool, reconcile: Reconcile) -> Self {
        let parts = Parts {
            name,
            namespaced,
            kind: ApiResource::erase::<K>(&()),
            reconcile,
            tell: None,
            finalizer: None,
            watched: watcher::Config::default(),
        };
        Self {
            parts,
            children: Vec::new(),
            kind: PhantomData,
        }
    }

    /// Watches the objects of a kind that the reconciler applies: when one of them changes, its
    /// owner is reconciled.
    #[must_use]
    pub fn owns<Child: Resource<DynamicType = (), Scope: 'static>>(mut self) -> Self {
        let namespaced = TypeId::of::<Child::Scope>() == TypeId::of::<NamespaceResourceScope>();
        let owner = Subject::Owner {
            kind: self.parts.kind.clone(),
            namespaced: self.parts.namespaced,
        };
        let kind = ApiResource::erase::<Child>(&());
        self.children.push(Cache::new(kind, namespaced, owner));
        self
    }

    /// Reconciles only objects with these labels, such as `tier=front`.
    #[must_use]
    pub fn labels(mut self, selector: &str) -> Self {
        self.parts.watched = self.parts.watched.labels(selector);
        self
    }

    /// Reconciles only objects with these fields, such as `metadata.name=main`.
    #[must_use]
    pub fn fields(mut self, selector: &str) -> Self {
        self.parts.watched = self.parts.watched.fields(selector);
        self
    }

    /// Lists so many objects at a time, instead of 500: fewer where they are large.
    #[must_use]
    pub fn page_size(mut self, objects: u32) -> Self {
        self.parts.watched = self.parts.watched.page_size(objects);
        self
    }

    /// Says where the status keeps its conditions: a pass that fails sets `Ready` to `False` among
    /// them, with the reason. Without it, `Ready` stays as the last good pass has left it.
    #[must_use]
    pub fn conditions(mut self, place: fn(&mut K::Status) -> &mut Vec<Condition>) -> Self
    where
        K: HasStatus,
        K::Status: Clone + Default + PartialEq + Serialize + Send + Sync,
    {
        self.parts.tell = Some(Box::new(move |json, ctx, condition| {
            let obj: K = serde_json::from_str(json)?;
            let tell = async move {
                let mut status = obj.status().cloned().unwrap_or_default();
                conditions::set(place(&mut status), obj.meta().generation, condition);
                ctx.apply_status(&obj, status).await
            };
            Ok(tell.boxed())
        }));
        self
    }

    /// Keeps a deleted object until `cleanup` has succeeded, for what goes beyond its children.
    /// Until then it is called again and again, so whatever it does must be safe to do again; it
    /// may also be called for an object that was never reconciled.
    ///
    /// A new object gets the finalizer `name` before its first pass. Under another name, the old
    /// one would stay forever.
    #[must_use]
    pub fn finalizer<R, E>(
        mut self,
        name: &'static str,
        cleanup: impl Fn(Arc<K>, Arc<Context>) -> R + Send + Sync + 'static,
    ) -> Self
    where
        R: Future<Output = Result<Action, E>> + Send + 'static,
        E: Into<anyhow::Error> + 'static,
    {
        let cleanup = Box::new(erased(cleanup));
        self.parts.finalizer = Some(Finalizer { name, cleanup });
        self
    }

    /// Runs until `shared.stop` is cancelled. From this call on, before the first poll, the process
    /// counts as not ready.
    pub(crate) fn run(self, shared: Shared) -> BoxFuture<'static, anyhow::Result<()>> {
        let (parts, children) = (self.parts, self.children);
        let limits = shared.settings.of(parts.name);
        shared.metrics.controller(parts.name, limits.concurrency);
        shared.health.expect(parts.name);
        let (changed, changes) = unbounded_channel();
        let objects = Cache::new(parts.kind.clone(), parts.namespaced, Subject::Itself);
        let context = Context::new(&shared, parts.name, objects, children, changed);
        let worker = Worker::new(parts, context, shared, limits);
        worker.work(changes).boxed()
    }
}

/// A reconciler that takes its object as text, so that all kinds share one worker.
fn erased<K, R, E>(
    reconcile: impl Fn(Arc<K>, Arc<Context>) -> R + Send + Sync + 'static,
) -> impl Fn(&str, Arc<Context>) -> serde_json::Result<Pass> + Send + Sync
where
    K: Object,
    R: Future<Output = Result<Action, E>> + Send + 'static,
    E: Into<anyhow::Error> + 'static,
{
    move |json, ctx| {
        let pass = reconcile(Arc::new(serde_json::from_str(json)?), ctx);
        Ok(async move { pass.await.map_err(Into::into) }.boxed())
    }
}
