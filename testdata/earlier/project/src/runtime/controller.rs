//! What to reconcile and how: what the author of a controller says about it.
use super::{Context, children::Children, manager::Shared, worker::Worker};
use futures::{FutureExt, future::BoxFuture, future::try_join_all};
use k8s_openapi::{ClusterResourceScope, NamespaceResourceScope};
use kube::runtime::controller::Action;
use kube::{Api, Client, Resource, api::ApiResource, core::DeserializeGuard};
use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use std::{fmt::Debug, mem, sync::Arc};
use tokio::sync::Semaphore;

/// A kind that can be reconciled: every type that derives `CustomResource`, and every built-in one.
pub trait Object:
    Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned + Send + Sync
{
}
impl<K: Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned + Send + Sync> Object for K {}

pub(super) type Pass = BoxFuture<'static, anyhow::Result<Action>>;
pub(super) type Reconcile<K> = Box<dyn Fn(Arc<K>, Arc<Context>) -> Pass + Send + Sync>;

/// A kind of object and the function that reconciles it.
pub struct Controller<K> {
    pub(super) name: &'static str,
    namespaced: bool,
    pub(super) api: fn(Client, Option<&str>) -> Api<DeserializeGuard<K>>,
    pub(super) reconcile: Reconcile<K>,
    children: Vec<Children>,
}

impl<K: Object + 'static> Controller<K> {
    /// For a kind whose objects live in namespaces.
    pub fn namespaced<R>(
        name: &'static str,
        reconcile: impl Fn(Arc<K>, Arc<Context>) -> R + Send + Sync + 'static,
    ) -> Self
    where
        K: Resource<Scope = NamespaceResourceScope>,
        R: Future<Output = anyhow::Result<Action>> + Send + 'static,
    {
        let api = |client, namespace: Option<&str>| match namespace {
            Some(namespace) => Api::namespaced(client, namespace),
            None => Api::all(client),
        };
        Self {
            name,
            namespaced: true,
            api,
            reconcile: Box::new(move |obj, ctx| reconcile(obj, ctx).boxed()),
            children: Vec::new(),
        }
    }

    /// For a kind whose objects live outside of namespaces.
    pub fn cluster_scoped<R>(
        name: &'static str,
        reconcile: impl Fn(Arc<K>, Arc<Context>) -> R + Send + Sync + 'static,
    ) -> Self
    where
        K: Resource<Scope = ClusterResourceScope>,
        R: Future<Output = anyhow::Result<Action>> + Send + 'static,
    {
        Self {
            name,
            namespaced: false,
            api: |client, _| Api::all(client),
            reconcile: Box::new(move |obj, ctx| reconcile(obj, ctx).boxed()),
            children: Vec::new(),
        }
    }

    /// Watches the objects of a kind that the reconciler applies.
    pub fn owns<Child: Resource<DynamicType = (), Scope: 'static>>(mut self) -> Self {
        let owner = ApiResource::erase::<K>(&());
        self.children
            .push(Children::new::<Child>(owner, self.namespaced));
        self
    }

    /// What the probes call it.
    pub(super) fn place(&self, namespace: Option<&str>) -> String {
        format!("{} in {}", self.name, namespace.unwrap_or("all namespaces"))
    }

    /// Runs until `shared.stop` is cancelled. From this call on, before the first poll, the process
    /// counts as not ready.
    pub(super) fn run(mut self, shared: Shared) -> BoxFuture<'static, anyhow::Result<()>> {
        let (name, limits) = (self.name, shared.settings.of(self.name));
        shared.metrics.controller(name, limits.concurrency);
        let namespaces = match self.namespaced {
            true => shared.namespaces.clone(),
            false => vec![None],
        };
        for namespace in &namespaces {
            shared.health.expect(&self.place(namespace.as_deref()));
        }
        let worker = Arc::new(Worker {
            context: Arc::new(Context::new(&shared, name, mem::take(&mut self.children))),
            controller: self,
            permits: Semaphore::new(limits.concurrency.into()),
            failures: Mutex::default(),
            shared,
            limits,
        });
        let work = move |namespace| worker.clone().work(namespace);
        let work = namespaces.into_iter().map(work);
        async { try_join_all(work).await.map(drop) }.boxed()
    }
}
