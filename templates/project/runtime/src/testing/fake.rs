//! A cluster in memory, for unit tests of reconcilers.

mod answers;
mod patches;

use crate::cache::{Pool, View};
use crate::cluster::Cluster;
use crate::context::Context;
use crate::controller::Controller;
use crate::marks::MANAGED_BY;
use crate::object::Object;
use crate::observed::Observed;
use answers::Store;
use kube::api::DynamicObject;
use kube::{Client, Resource, ResourceExt};
use parking_lot::Mutex;
use serde::{Serialize, de::DeserializeOwned};
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::mpsc::unbounded_channel;
use tower::service_fn;

/// A cluster in memory: it stores objects, and answers the requests of a [`Context`]. It has no
/// controllers, defaults or validation: use `opctl test` for tests that depend on these.
///
/// ```
/// use k8s_openapi::api::core::v1::{ConfigMap, Pod};
/// use runtime::testing::FakeCluster;
/// use runtime::{Action, Context, Controller};
/// use std::sync::Arc;
///
/// async fn reconcile(pod: Arc<Pod>, ctx: Arc<Context>) -> anyhow::Result<Action> {
///     let mut desired = ConfigMap::default();
///     desired.metadata.name = pod.metadata.name.clone();
///     ctx.apply(&*pod, desired).await?;
///     Ok(Action::done())
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> anyhow::Result<()> {
/// let mut pod = Pod::default();
/// pod.metadata.name = Some("web".into());
/// pod.metadata.namespace = Some("default".into());
///
/// let cluster = FakeCluster::new();
/// let pod = cluster.insert(pod);
/// let controller = Controller::namespaced("pod", reconcile).owns::<ConfigMap>();
/// reconcile(Arc::new(pod), cluster.context(controller, ())).await?;
/// assert!(cluster.get::<ConfigMap>(Some("default"), "web").is_some());
/// assert_eq!(cluster.list::<ConfigMap>().len(), 1);
/// assert_eq!(cluster.writes(), ["POST /api/v1/namespaces/default/configmaps"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct FakeCluster(Arc<Mutex<Store>>);

impl FakeCluster {
    /// Makes a cluster without objects.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stores an object, or replaces an object with the same name, and returns the stored object.
    ///
    /// # Panics
    /// Panics if the object does not fit its own type.
    pub fn insert<K>(&self, object: K) -> K
    where
        K: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
    {
        let place = K::url_path(&(), object.meta().namespace.as_deref());
        let mut object = serde_json::to_value(object).unwrap();
        object["apiVersion"] = K::api_version(&()).into();
        object["kind"] = K::kind(&()).into();
        serde_json::from_value(self.0.lock().insert(&place, object)).unwrap()
    }

    /// Returns the object with this name, if it exists. `namespace` is `None` for a cluster-scoped
    /// kind.
    ///
    /// # Panics
    /// Panics if the object does not fit the type.
    pub fn get<K>(&self, namespace: Option<&str>, name: &str) -> Option<K>
    where
        K: Resource<DynamicType = ()> + DeserializeOwned,
    {
        let place = K::url_path(&(), namespace);
        let object = self.0.lock().get(&place, name)?;
        Some(serde_json::from_value(object).unwrap())
    }

    /// Returns the objects of a kind in all namespaces, sorted by namespace and name.
    ///
    /// # Panics
    /// Panics if an object does not fit the type.
    pub fn list<K>(&self) -> Vec<K>
    where
        K: Resource<DynamicType = ()> + DeserializeOwned,
    {
        let objects = self.0.lock().all(&K::url_path(&(), None));
        let parse = |object| serde_json::from_value(object).unwrap();
        objects.into_iter().map(parse).collect()
    }

    /// Returns the write requests so far, in their order, such as
    /// `POST /api/v1/namespaces/default/configmaps`.
    #[must_use]
    pub fn writes(&self) -> Vec<String> {
        self.0.lock().writes.clone()
    }

    /// Makes a context for a pass of the controller. The caches of the context contain the current
    /// objects of the cluster.
    #[must_use]
    pub fn context<K, S>(
        &self,
        controller: Controller<K, S>,
        state: impl Into<Arc<S>>,
    ) -> Arc<Context<S>>
    where
        K: Object,
        S: Send + Sync + 'static,
    {
        let store = self.0.clone();
        let service = service_fn(move |request| {
            let store = store.clone();
            async move { Ok::<_, Infallible>(answers::answer(&store, request).await) }
        });
        let client = Client::new(service, "default");
        let mut views = controller.views;
        views.join(&mut Pool::default(), "fake", &[None]);
        let operator = ("fake", "test".to_owned());
        let fill = |view: &View, is_watched: fn(&Observed) -> bool| {
            let there = self
                .0
                .lock()
                .all(&DynamicObject::url_path(&view.kind, None));
            let there = there
                .into_iter()
                .map(|object| serde_json::from_value(object).unwrap());
            there.filter(is_watched).for_each(|object| view.put(object));
        };
        let watched = views.watched.iter().map(|watched| &watched.view);
        let others = [&views.objects].into_iter().chain(watched);
        others.for_each(|view| fill(view, |_| true));
        // The watch of an operator selects children by their label.
        let is_ours = |child: &Observed| {
            child
                .labels()
                .get(MANAGED_BY)
                .is_some_and(|of| of == "fake")
        };
        views.children.iter().for_each(|view| fill(view, is_ours));
        let (changed, _) = unbounded_channel();
        let cluster = Cluster::new(client, operator, controller.name, views, changed);
        Arc::new(Context::new(Arc::new(cluster), state.into()))
    }
}
