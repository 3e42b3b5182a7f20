//! What to reconcile and how: what the author of a controller says about it.
use super::Context;
use super::children::Children;
use super::manager::Shared;
use super::worker::Worker;
use futures::FutureExt;
use futures::future::{BoxFuture, try_join_all};
use k8s_openapi::{ClusterResourceScope, NamespaceResourceScope};
use kube::{Api, Client, Resource, core::DeserializeGuard, runtime::controller::Action};
use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use std::{fmt::Debug, sync::Arc};
use tokio::sync::Semaphore;

/// A kind that can be reconciled: every type that derives `CustomResource`, and every built-in one.
pub trait Object:
    Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned + Send + Sync
{
}
impl<K> Object for K where
    K: Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned + Send + Sync
{
}

pub(super) type Pass = BoxFuture<'static, anyhow::Result<Action>>;
pub(super) type Reconcile<K> = Box<dyn Fn(Arc<K>, Arc<Context>) -> Pass + Send + Sync>;

/// A kind of object and the function that reconciles it.
pub struct Controller<K> {
    pub(super) name: &'static str,
    namespaced: bool,
    api: fn(Client, Option<&str>) -> Api<DeserializeGuard<K>>,
    reconcile: Reconcile<K>,
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
        self.children
            .push(Children::new::<K, Child>(self.namespaced));
        self
    }

    /// Runs until `shared.stop` is cancelled. From this call on, before the first poll, the process
    /// counts as not ready.
    pub(super) fn run(self, shared: Shared) -> BoxFuture<'static, anyhow::Result<()>> {
        let (name, limits) = (self.name, shared.settings.of(self.name));
        shared.metrics.controller(name, limits.concurrency);
        let worker = Arc::new(Worker {
            name,
            reconcile: self.reconcile,
            context: Arc::new(Context::new(&shared, name, self.children)),
            permits: Semaphore::new(limits.concurrency.into()),
            failures: Mutex::default(),
            shared: shared.clone(),
            limits,
        });
        let namespaces = match self.namespaced {
            true => shared.namespaces.clone(),
            false => vec![None],
        };
        let work = namespaces.into_iter().map(|namespace| {
            let place = namespace.as_deref().unwrap_or("all namespaces");
            let place = format!("{name} in {place}");
            shared.health.expect(&place);
            let api = (self.api)(shared.client.clone(), namespace.as_deref());
            worker.clone().work(api, namespace, place)
        });
        let work = try_join_all(work.collect::<Vec<_>>());
        async { work.await.map(drop) }.boxed()
    }
}
