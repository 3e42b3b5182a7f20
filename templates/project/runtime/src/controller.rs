//! Controllers: a kind, its reconciler, and the settings that its author chooses.

use crate::action::Action;
use crate::cache::View;
use crate::cluster::{Cluster, Views};
use crate::conditions;
use crate::context::Context;
use crate::finalizer::Finalizer;
use crate::name::Name;
use crate::object::Object;
use crate::pass::{Gone, Pass, Reconcile, SetCondition};
use crate::settings::Limits;
use crate::shared::Shared;
use crate::trigger::Trigger;
use crate::typed::typed;
use crate::worker::{Parts, Worker};
use futures::FutureExt;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use k8s_openapi::{ClusterResourceScope, NamespaceResourceScope};
use kube::{Resource, api::ApiResource, core::object::HasStatus};
use serde::Serialize;
use std::{marker::PhantomData, sync::Arc, time::Duration};
use tokio::sync::mpsc::unbounded_channel;

/// A reconciler or a cleanup function of the author, which takes its object as JSON.
type Function<S> = Box<dyn Fn(&str, Context<S>) -> serde_json::Result<Pass> + Send + Sync>;

/// A kind and the function that reconciles its objects. `S` is the author's own state, if there is
/// any: see [`Manager::add_with`](crate::Manager::add_with).
///
/// Little code here is generic over the kind: the rest of the runtime is compiled once for all
/// kinds.
///
/// ```no_run
/// use k8s_openapi::api::core::v1::{ConfigMap, Node, Pod, Secret};
/// use runtime::{Action, Context, Controller, Manager, Watch};
/// use std::{sync::Arc, time::Duration};
/// # async fn reconcile(_: Arc<Pod>, _: Arc<Context>) -> anyhow::Result<Action> {
/// #     Ok(Action::done())
/// # }
/// # async fn clean_up(_: Arc<Pod>, _: Arc<Context>) -> anyhow::Result<Action> {
/// #     Ok(Action::done())
/// # }
/// # async fn label(_: Arc<Node>, _: Arc<Context>) -> anyhow::Result<Action> {
/// #     Ok(Action::done())
/// # }
///
/// fn setup(manager: &mut Manager) {
///     let pods = Controller::namespaced("pod", reconcile)
///         .objects(Watch::new().fields("spec.nodeName!="))
///         .owns::<ConfigMap>()
///         .owns_with(Watch::<Secret>::new().labels("tier=front"))
///         .watches_metadata(Watch::<Node>::new(), |_: &Pod| Vec::new())
///         .finalizer("example.com/pod", clean_up)
///         .concurrency(4)
///         .resync(Duration::from_secs(3600))
///         .debounce(Duration::from_millis(200))
///         .timeout(Duration::from_secs(30))
///         .backoff(Duration::from_secs(2), Duration::from_secs(60));
///     manager.add(pods);
///     manager.add(Controller::cluster_scoped("node", label));
/// }
/// ```
#[must_use]
pub struct Controller<K, S = ()> {
    pub(crate) name: &'static str,
    pub(crate) views: Views,
    reconcile: Function<S>,
    cleanups: Vec<(&'static str, Function<S>)>,
    gone: Option<Gone>,
    set_condition: Option<SetCondition>,
    pub(crate) limits: Limits,
    triggers: Vec<Trigger>,
    kind: PhantomData<fn(K)>,
}

impl<K: Object, S: Send + Sync + 'static> Controller<K, S> {
    /// Makes a controller of a namespaced kind. `name` appears in metrics and events, and in the
    /// field manager of server-side apply: do not change it later. No other controller of the
    /// operator may have the same name.
    ///
    /// An object that is being deleted is not reconciled: the garbage collector deletes its
    /// children, and [`Controller::finalizer`] is for everything else.
    ///
    /// Rights: `list` and `watch` of the kind.
    pub fn namespaced<R, E>(
        name: &'static str,
        reconcile: impl Fn(Arc<K>, Arc<Context<S>>) -> R + Send + Sync + 'static,
    ) -> Self
    where
        K: Resource<Scope = NamespaceResourceScope>,
        R: Future<Output = Result<Action, E>> + Send + 'static,
        E: Into<anyhow::Error> + 'static,
    {
        Self::new(name, true, Box::new(erased(reconcile)))
    }

    /// Makes a controller of a cluster-scoped kind: see [`Controller::namespaced`].
    ///
    /// Rights: `list` and `watch` of the kind.
    pub fn cluster_scoped<R, E>(
        name: &'static str,
        reconcile: impl Fn(Arc<K>, Arc<Context<S>>) -> R + Send + Sync + 'static,
    ) -> Self
    where
        K: Resource<Scope = ClusterResourceScope>,
        R: Future<Output = Result<Action, E>> + Send + 'static,
        E: Into<anyhow::Error> + 'static,
    {
        Self::new(name, false, Box::new(erased(reconcile)))
    }

    fn new(name: &'static str, namespaced: bool, reconcile: Function<S>) -> Self {
        let kind = ApiResource::erase::<K>(&());
        Self {
            name,
            views: Views {
                objects: View::new(kind, namespaced, None),
                children: Vec::new(),
                watched: Vec::new(),
                read: Vec::new(),
            },
            reconcile,
            cleanups: Vec::new(),
            gone: None,
            set_condition: None,
            limits: Limits::default(),
            triggers: Vec::new(),
            kind: PhantomData,
        }
    }

    /// Reconciles up to `objects` objects at a time, instead of 10. The flag `--concurrency` takes
    /// precedence.
    pub fn concurrency(mut self, objects: u16) -> Self {
        self.limits.concurrency = objects;
        self
    }

    /// Reconciles an object again after this time even if it has not changed, instead of after 10
    /// minutes: not every change can be watched. Zero means never. The flag `--resync` takes
    /// precedence.
    pub fn resync(mut self, every: Duration) -> Self {
        self.limits.resync = every;
        self
    }

    /// Delays the pass of an object by this time after its first change, so that one pass covers
    /// all changes within this time.
    pub fn debounce(mut self, time: Duration) -> Self {
        self.limits.debounce = time;
        self
    }

    /// Also reconciles the objects that `trigger` names. A trigger belongs to one controller.
    pub fn triggered_by(mut self, trigger: &Trigger) -> Self {
        self.triggers.push(trigger.clone());
        self
    }

    /// Ends a pass that takes longer than `pass` (default: a minute), and counts it as failed.
    ///
    /// If a timeout or the loss of the lease ends a pass, the pass stops at an `.await`, and may
    /// not have recorded what it has made outside of the cluster. So the next pass must be able to
    /// find such resources.
    pub fn timeout(mut self, pass: Duration) -> Self {
        self.limits.timeout = pass;
        self
    }

    /// Sets the pause before an object is reconciled again after a failure: `first` after one
    /// failure, twice as long after each further failure in a row, up to `most`. Up to 10 % are
    /// added, so that objects do not become due together. The defaults are 1 second and 5 minutes.
    pub fn backoff(mut self, first: Duration, most: Duration) -> Self {
        self.limits.backoff = (first, most);
        self
    }

    /// Sets the place of the conditions in the status. A pass that fails then sets the condition
    /// `Ready` to `False`, with the reason. Without this call, `Ready` stays as the last successful
    /// pass set it.
    ///
    /// ```
    /// use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
    /// use kube::core::object::HasStatus;
    /// use runtime::{Controller, Object};
    ///
    /// #[derive(Clone, Default, PartialEq, serde::Serialize)]
    /// struct Status {
    ///     conditions: Vec<Condition>,
    /// }
    ///
    /// fn with_ready<K: Object + HasStatus<Status = Status>>(controller: Controller<K>) -> Controller<K> {
    ///     controller.conditions(|status| &mut status.conditions)
    /// }
    /// ```
    pub fn conditions(mut self, place: fn(&mut K::Status) -> &mut Vec<Condition>) -> Self
    where
        K: HasStatus,
        K::Status: Clone + Default + PartialEq + Serialize + Send + Sync,
    {
        self.set_condition = Some(Box::new(move |json, cluster, condition| {
            let obj: K = typed(json)?;
            let ctx = Context::new(cluster, Arc::new(()));
            let set = async move {
                let mut status = obj.status().cloned().unwrap_or_default();
                conditions::set(place(&mut status), obj.meta().generation, condition);
                ctx.apply_status(&obj, status).await
            };
            Ok(set.boxed())
        }));
        self
    }

    /// Keeps a deleted object until `cleanup` has succeeded. Use this to clean up what the garbage
    /// collector does not delete, such as resources outside of the cluster. `cleanup` may be called
    /// several times, so it must be idempotent; it may also be called for an object that was never
    /// reconciled. Any `Ok` releases the object: return an error while something is left to clean
    /// up. With several finalizers, the cleanups are called in the order of the calls of this
    /// function, each after the previous one has succeeded.
    ///
    /// An object gets the finalizer `name` before its first pass. Do not change the name later: the
    /// old finalizer would stay forever. The finalizer also stays on an object that is no longer
    /// watched because its labels or `--watch-namespace` have changed: the object cannot be deleted
    /// until it is watched again, or until a user removes the finalizer.
    ///
    /// Rights: `patch` of the kind.
    pub fn finalizer<R, E>(
        mut self,
        name: &'static str,
        cleanup: impl Fn(Arc<K>, Arc<Context<S>>) -> R + Send + Sync + 'static,
    ) -> Self
    where
        R: Future<Output = Result<Action, E>> + Send + 'static,
        E: Into<anyhow::Error> + 'static,
    {
        self.cleanups.push((name, Box::new(erased(cleanup))));
        self
    }

    /// Calls `forget` with the name of an object that no longer exists, or that the controller no
    /// longer selects. Use this to free memory that the operator keeps for each object, such as
    /// metrics with the name of the object. Use [`Controller::finalizer`] for a cleanup that must
    /// not be missed: an object may be deleted while the operator is not running.
    ///
    /// `forget` may be called several times for a name, and for names that no pass has seen.
    ///
    /// ```
    /// use k8s_openapi::api::core::v1::Pod;
    /// use runtime::Controller;
    /// use std::{collections::BTreeMap, sync::Arc, sync::Mutex};
    ///
    /// type Sizes = Arc<Mutex<BTreeMap<String, u64>>>;
    ///
    /// fn with_sizes(controller: Controller<Pod>, sizes: Sizes) -> Controller<Pod> {
    ///     controller.on_gone(move |name| drop(sizes.lock().unwrap().remove(name.name())))
    /// }
    /// ```
    pub fn on_gone(mut self, forget: impl Fn(Name) + Send + Sync + 'static) -> Self {
        self.gone = Some(Box::new(forget));
        self
    }

    /// Gives the controller its state. The returned type is the same for all kinds and states.
    pub(crate) fn with_state(self, state: Arc<S>) -> Untyped {
        let finalizer = |(name, cleanup)| Finalizer {
            name,
            cleanup: bound(cleanup, state.clone()),
        };
        let parts = Parts {
            name: self.name,
            finalizers: self.cleanups.into_iter().map(finalizer).collect(),
            gone: self.gone,
            reconcile: bound(self.reconcile, state),
            set_condition: self.set_condition,
            limits: self.limits,
        };
        Untyped {
            parts,
            views: self.views,
            triggers: self.triggers,
        }
    }
}

/// A controller without type parameters: the controllers of all kinds have this type.
pub(crate) struct Untyped {
    parts: Parts,
    pub views: Views,
    triggers: Vec<Trigger>,
}

impl Untyped {
    pub fn name(&self) -> &'static str {
        self.parts.name
    }

    /// Runs the controller until `shared.stop` is cancelled. The process counts as not ready as
    /// soon as this function is called, even before the future is first polled.
    pub fn run(self, shared: Shared) -> impl Future<Output = anyhow::Result<()>> {
        let (mut parts, views) = (self.parts, self.views);
        parts.limits = parts.limits.with(&shared.settings);
        let name = parts.name;
        shared.metrics.controller(name, parts.limits.concurrency);
        shared.health.expect(name);
        let (changed, changes) = unbounded_channel();
        for trigger in self.triggers {
            trigger.connect(changed.clone(), views.objects.namespaced);
        }
        let operator = (shared.operator, shared.identity.clone());
        let cluster = Cluster::new(shared.client.clone(), operator, name, views, changed);
        Worker::new(parts, cluster, shared).work(changes)
    }
}

/// Makes a reconciler that passes `state` to the author's function.
fn bound<S: Send + Sync + 'static>(written: Function<S>, state: Arc<S>) -> Reconcile {
    Box::new(move |json, cluster| written(json, Context::new(cluster, state.clone())))
}

/// Makes a reconciler that takes its object as JSON, so that all kinds share one worker.
fn erased<K, S, R, E>(
    reconcile: impl Fn(Arc<K>, Arc<Context<S>>) -> R + Send + Sync + 'static,
) -> impl Fn(&str, Context<S>) -> serde_json::Result<Pass> + Send + Sync
where
    K: Object,
    S: Send + Sync + 'static,
    R: Future<Output = Result<Action, E>> + Send + 'static,
    E: Into<anyhow::Error> + 'static,
{
    let reconcile = Arc::new(reconcile);
    move |json, mut ctx| {
        let (object, reconcile) = (Arc::<K>::new(typed(json)?), reconcile.clone());
        ctx.reconciled = object.controller_owner_ref(&());
        // Called within the future, so that a panic ends the pass alone.
        let pass = async move { reconcile(object, Arc::new(ctx)).await.map_err(Into::into) };
        Ok(pass.boxed())
    }
}
