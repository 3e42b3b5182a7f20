//! What to reconcile and how: what the author of a controller says about it.
use super::children::{Children, is_namespaced};
use super::manager::Shared;
use super::worker::Worker;
use super::{Context, Object};
use futures::future;
use futures::future::BoxFuture;
use k8s_openapi::{ClusterResourceScope, NamespaceResourceScope};
use kube::core::DeserializeGuard;
use kube::runtime::controller::Action;
use kube::{Api, Client, Resource};
use std::sync::Arc;

pub(super) type Pass = BoxFuture<'static, anyhow::Result<Action>>;
pub(super) type Reconcile<K> = dyn Fn(Arc<K>, Arc<Context>) -> Pass + Send + Sync;

/// A kind of object and the function that reconciles it.
pub struct Controller<K> {
    pub(super) name: &'static str,
    api: fn(Client, Option<&str>) -> Api<DeserializeGuard<K>>,
    reconcile: Box<Reconcile<K>>,
    children: Vec<Children>,
}

impl<K: Object> Controller<K> {
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
        let reconcile = Box::new(move |obj, ctx| Box::pin(reconcile(obj, ctx)) as Pass);
        Self {
            name,
            api,
            reconcile,
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
        let reconcile = Box::new(move |obj, ctx| Box::pin(reconcile(obj, ctx)) as Pass);
        Self {
            name,
            api: |client, _| Api::all(client),
            reconcile,
            children: Vec::new(),
        }
    }

    /// Watches the objects of a kind that the reconciler applies.
    pub fn owns<Child: Resource<DynamicType = (), Scope: 'static>>(mut self) -> Self {
        self.children.push(Children::new::<K, Child>());
        self
    }

    /// Runs until `shared.stop` is cancelled. From this call on, before the first poll, the process
    /// counts as not ready.
    pub(super) fn run(self, shared: Shared) -> BoxFuture<'static, anyhow::Result<()>> {
        let namespaces = if is_namespaced::<K>() {
            shared.namespaces.clone()
        } else {
            vec![None]
        };
        let context = Context::new(&shared, self.name, self.children);
        let worker = Arc::new(Worker::new(
            self.name,
            self.reconcile,
            context,
            shared.clone(),
        ));
        let work = namespaces.into_iter().map(|namespace| {
            let place = namespace.as_deref().unwrap_or("all namespaces");
            let pulse = shared.health.pulse(format!("{} in {place}", self.name));
            let api = (self.api)(shared.client.clone(), namespace.as_deref());
            worker.clone().work(api, namespace, pulse)
        });
        let work = future::try_join_all(work.collect::<Vec<_>>());
        Box::pin(async { work.await.map(drop) })
    }
}
