//! One controller at work: what happens around each call of its reconciler.
use super::backoff::{Backoff, jittered};
use super::children::Key;
use super::controller::Reconcile;
use super::health::Pulse;
use super::manager::Shared;
use super::settings::Limits;
use super::{Context, Object, children};
use anyhow::bail;
use futures::channel::{mpsc, oneshot};
use futures::{FutureExt, StreamExt, future};
use kube::api::ApiResource;
use kube::core::DeserializeGuard;
use kube::core::error_boundary::InvalidObject;
use kube::runtime::controller::{Action, Config, Error as ControllerError, applier};
use kube::runtime::reflector::ObjectRef;
use kube::runtime::reflector::store::Writer;
use kube::runtime::watcher::{self, Event, watcher};
use kube::runtime::{WatchStreamExt, reflector};
use kube::{Api, ResourceExt};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinError;
use tokio::time::{interval, sleep, timeout};
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

/// For the passes under way when the process is told to stop. It must be less than
/// `terminationGracePeriodSeconds` in config/manager/manager.yaml.
const GRACE: Duration = Duration::from_secs(25);
/// Until the operator's own writes come back from its watch.
const ECHO: Duration = Duration::from_millis(50);

#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("object does not fit its Rust type: {0}")]
    Invalid(Box<InvalidObject>),
    #[error("reconciler panicked: {0}")]
    Panicked(JoinError),
    #[error("reconciler took longer than {0:?}")]
    TimedOut(Duration),
    #[error("{0:#}")]
    Failed(anyhow::Error),
}

pub struct Worker<K> {
    name: &'static str,
    reconcile: Box<Reconcile<K>>,
    context: Arc<Context>,
    shared: Shared,
    limits: Limits,
    permits: Semaphore,
    backoff: Backoff<Key>,
}

impl<K: Object> Worker<K> {
    pub fn new(
        name: &'static str,
        reconcile: Box<Reconcile<K>>,
        context: Context,
        shared: Shared,
    ) -> Self {
        let limits = shared.settings.of(name);
        shared.metrics.controller(name, limits.concurrency);
        Self {
            name,
            reconcile,
            context: Arc::new(context),
            permits: Semaphore::new(limits.concurrency.into()),
            backoff: Backoff::new(limits.backoff, limits.backoff_limit),
            shared,
            limits,
        }
    }

    /// Reconciles the objects of one namespace, or of all.
    pub async fn work(
        self: Arc<Self>,
        api: Api<DeserializeGuard<K>>,
        namespace: Option<String>,
        pulse: Pulse,
    ) -> anyhow::Result<()> {
        let (name, stop) = (self.name, &self.shared.stop);
        let (store, writer) = reflector::store();
        let (triggers, queue) = mpsc::unbounded();
        let trigger = |object| {
            self.shared.metrics.triggered(name);
            let _ = triggers.unbounded_send(object); // fails when the controller stops
        };
        let changed = |(namespace, name): Key| {
            let mut owner = ObjectRef::new(&name);
            owner.namespace = namespace;
            trigger(owner);
        };
        let (is_warm, warm) = oneshot::channel();
        let mut watches = vec![self.watch(api, writer, &trigger, is_warm).boxed()];
        let mut all_warm = vec![warm];
        for children in &self.context.children {
            let (is_warm, warm) = oneshot::channel();
            let client = self.shared.client.clone();
            watches.push(
                children
                    .watch(client, namespace.as_deref(), &changed, is_warm)
                    .boxed(),
            );
            all_warm.push(warm);
        }
        let mut watches = future::join_all(watches);

        // Without all the children in view, a restart would apply them all again. And kube could
        // not stop its part before it has seen the objects, so that is not even started.
        tokio::select! {
            _ = &mut watches => bail!("the watches of controller {name} have ended"),
            _ = future::join_all(all_warm) => {}
            () = stop.cancelled() => return Ok(()),
        }
        tracing::info!(
            controller = name,
            namespace,
            objects = store.len(),
            "started"
        );
        let passes = applier(
            // Asked here, where the object has just been taken from the store.
            |object, worker: Arc<Self>| match worker.context.is_outdated(&*object) {
                true => future::ready(Ok(Action::requeue(ECHO))).boxed(),
                false => worker.pass(object).boxed(),
            },
            |object, error, worker| worker.after(&*object, error),
            self.clone(),
            store,
            queue
                .map(Ok::<_, Infallible>)
                .take_until(stop.clone().cancelled_owned()),
            Config::default()
                .concurrency(self.limits.concurrency)
                .debounce(self.limits.debounce),
        );
        let passes = passes.for_each(async |result| {
            if let Err(ControllerError::ObjectNotFound(object)) = result {
                self.forget(&(object.namespace, object.name));
            }
        });
        let overdue = async {
            stop.cancelled().await;
            sleep(GRACE).await;
        };
        let mut beat = interval(Duration::from_secs(1));
        let beats = async {
            loop {
                beat.tick().await;
                pulse.beat();
            }
        };
        // All in one task: whatever keeps it from going on stops the beat.
        tokio::select! {
            () = passes => if !stop.is_cancelled() { bail!("controller {name} has ended") },
            () = overdue => tracing::warn!(controller = name, "gave up reconciliations that do not end"),
            _ = watches => bail!("the watches of controller {name} have ended"),
            () = beats => {}
        }
        Ok(())
    }

    async fn watch(
        &self,
        api: Api<DeserializeGuard<K>>,
        writer: Writer<DeserializeGuard<K>>,
        trigger: impl Fn(ObjectRef<DeserializeGuard<K>>),
        is_warm: oneshot::Sender<()>,
    ) {
        let mut events = watcher(api, watcher::Config::default())
            .default_backoff()
            .modify(|object| object.managed_fields_mut().clear())
            .reflect(writer)
            .boxed();
        let mut is_warm = Some(is_warm);
        while let Some(event) = events.next().await {
            match event {
                Ok(Event::InitApply(object)) => trigger(ObjectRef::from_obj(&object)),
                Ok(Event::Apply(object)) => {
                    if !self.context.is_echo(&object) {
                        trigger(ObjectRef::from_obj(&object));
                    }
                }
                Ok(Event::Delete(object)) => self.forget(&children::key(&object)),
                Ok(Event::InitDone) => drop(is_warm.take().map(|warm| warm.send(()))),
                Ok(Event::Init) => {}
                Err(error) => children::report(&ApiResource::erase::<K>(&()), &error),
            }
        }
    }

    async fn pass(self: Arc<Self>, object: Arc<DeserializeGuard<K>>) -> Result<Action, Error> {
        let _permit = self.permits.acquire().await; // never closed
        let timer = self.shared.metrics.start(self.name);
        match self.bounded(&object.0).await {
            Ok(action) => {
                self.backoff.reset(&children::key(&*object));
                let settled = action == Action::await_change();
                timer.end(if settled { "success" } else { "requeue_after" });
                // Not everything that matters can be watched.
                let resync = Action::requeue(jittered(self.limits.resync));
                Ok(if settled { resync } else { action })
            }
            Err(error) => {
                drop(timer);
                let reason = match error {
                    Error::Invalid(_) => "Invalid",
                    _ => "ReconcileFailed",
                };
                let note = error.to_string();
                self.context.warn(&*object, reason, &note).await;
                Err(error)
            }
        }
    }

    /// In a task of its own, a reconciler that hangs or panics cannot take others with it.
    async fn bounded(&self, object: &Result<K, InvalidObject>) -> Result<Action, Error> {
        let invalid = |invalid: &InvalidObject| Error::Invalid(Box::new(invalid.clone()));
        let object = Arc::new(object.as_ref().map_err(invalid)?.clone());
        let pass = (self.reconcile)(object, self.context.clone());
        let task = AbortOnDropHandle::new(tokio::spawn(pass.in_current_span()));
        timeout(self.limits.timeout, task)
            .await
            .map_err(|_| Error::TimedOut(self.limits.timeout))?
            .map_err(Error::Panicked)?
            .map_err(Error::Failed)
    }

    fn after(&self, object: &DeserializeGuard<K>, error: &Error) -> Action {
        if let Error::Invalid(_) = error {
            tracing::warn!("{error}; waiting for an edit");
            return Action::await_change();
        }
        if let Error::Panicked(_) = error {
            self.shared.metrics.panicked(self.name);
        }
        self.shared.metrics.retried(self.name);
        let retry_in = self.backoff.next(children::key(object));
        tracing::warn!(?retry_in, "{error}");
        Action::requeue(retry_in)
    }

    fn forget(&self, key: &Key) {
        self.backoff.reset(key);
        self.context.forget(key);
    }
}
