//! One controller at work: what happens around each call of its reconciler.
use super::children::{self, Key};
use super::controller::{Controller, Object};
use super::metrics::{of, queue};
use super::settings::{Limits, jittered};
use super::{Context, manager::Shared};
use anyhow::{Context as _, bail, ensure};
use futures::{FutureExt, StreamExt, channel::mpsc, future};
use kube::core::error_boundary::InvalidObject;
use kube::runtime::controller::{Action, Config, Error, applier};
use kube::runtime::reflector::{ObjectRef, store::Writer};
use kube::runtime::watcher::{self, Event, watcher};
use kube::runtime::{WatchStreamExt, reflector};
use kube::{Api, ResourceExt, api::ApiResource, core::DeserializeGuard};
use parking_lot::Mutex;
use std::time::{Duration, Instant};
use std::{cmp::Ordering, collections::HashMap, convert::Infallible, pin::pin, sync::Arc};
use tokio::{sync::Semaphore, time::sleep, time::timeout};
use tokio_util::task::AbortOnDropHandle;
use tokio_util::task::task_tracker::{TaskTracker, TaskTrackerToken};
use tracing::Instrument;

/// For the passes under way when the process is told to stop. It must be less than
/// `terminationGracePeriodSeconds` in config/manager/manager.yaml.
const GRACE: Duration = Duration::from_secs(25);
/// Until the operator's own writes come back from its watch.
const ECHO: Duration = Duration::from_millis(50);

pub struct Worker<K> {
    pub controller: Controller<K>,
    pub context: Arc<Context>,
    pub shared: Shared,
    pub limits: Limits,
    pub permits: Semaphore,
    /// How often an object has failed in a row.
    pub failures: Mutex<HashMap<Key, u32>>,
}

impl<K: Object + 'static> Worker<K> {
    /// Reconciles the objects of one namespace, or of all.
    pub async fn work(self: Arc<Self>, namespace: Option<String>) -> anyhow::Result<()> {
        let (name, shared) = (self.controller.name, &self.shared);
        let place = self.controller.place(namespace.as_deref());
        let api = (self.controller.api)(shared.client.clone(), namespace.as_deref());
        let (store, writer) = reflector::store();
        let (triggers, triggered) = mpsc::unbounded();
        let trigger = |(namespace, object): Key| {
            let mut object = ObjectRef::new(&object);
            object.namespace = namespace;
            shared.metrics.adds.get_or_create(&queue(name)).inc();
            let _ = triggers.unbounded_send(object); // fails when the controller stops
        };
        let cold = TaskTracker::new();
        cold.close();
        let children = self.context.children.iter().map(|children| {
            let client = self.context.client.clone();
            children.watch(client, namespace.as_deref(), &trigger, cold.token())
        });
        let objects = self.watch(api, writer, &trigger, cold.token());
        let mut watches = pin!(future::join(objects, future::join_all(children)));

        // Without all the children in view, a restart would apply them all again. And kube could
        // not stop its part before it has seen the objects, so that is not even started.
        tokio::select! {
            _ = &mut watches => bail!("the watches of controller {name} have ended"),
            () = cold.wait() => {}
            () = shared.stop.cancelled() => return Ok(()),
        }
        let objects = store.len();
        tracing::info!(controller = name, namespace, objects, "started");
        let config = Config::default().concurrency(self.limits.concurrency);
        let until = shared.stop.clone().cancelled_owned();
        let passes = applier(
            // Asked here, where the object has just been taken from the store.
            |object, worker: Arc<Self>| match worker.context.compare(&*object) {
                Ordering::Less => future::ready(Ok(Action::requeue(ECHO))).boxed(),
                _ => worker.pass(object).map(Ok::<_, Infallible>).boxed(),
            },
            |_, never, _| match *never {},
            self.clone(),
            store,
            triggered.map(Ok::<_, Infallible>).take_until(until),
            config.debounce(self.limits.debounce),
        );
        let passes = passes.for_each(async |result| {
            if let Err(Error::ObjectNotFound(object)) = result {
                self.forget(&(object.namespace, object.name));
            }
        });
        let overdue = shared.stop.cancelled().then(|()| sleep(GRACE));
        let beats = async {
            loop {
                shared.health.beat(&place);
                sleep(Duration::from_secs(1)).await;
            }
        };
        // All in one task: whatever keeps it from going on stops the beat.
        tokio::select! {
            () = passes => {}
            () = overdue => tracing::warn!(controller = name, "gave up passes that do not end"),
            _ = watches => {}
            () = beats => {}
        }
        ensure!(shared.stop.is_cancelled(), "controller {name} has ended");
        Ok(())
    }

    /// Keeps the store behind `writer` up to date. `cold` is dropped when all objects are in it.
    async fn watch(
        &self,
        api: Api<DeserializeGuard<K>>,
        writer: Writer<DeserializeGuard<K>>,
        trigger: impl Fn(Key),
        cold: TaskTrackerToken,
    ) {
        let mut cold = Some(cold);
        let events = watcher(api, watcher::Config::default())
            .default_backoff()
            .modify(|object| object.managed_fields_mut().clear())
            .reflect(writer);
        let handle = |event| match event {
            Ok(Event::Apply(object)) if self.context.compare(&object).is_eq() => {}
            Ok(Event::InitApply(object) | Event::Apply(object)) => trigger(children::key(&object)),
            Ok(Event::Delete(object)) => self.forget(&children::key(&object)),
            Ok(Event::InitDone) => drop(cold.take()),
            Ok(Event::Init) => {}
            Err(error) => children::report(&ApiResource::erase::<K>(&()), &error),
        };
        events.map(handle).collect().await
    }

    async fn pass(self: Arc<Self>, object: Arc<DeserializeGuard<K>>) -> Action {
        let _permit = self.permits.acquire().await; // never closed
        let (metrics, name) = (&self.shared.metrics, self.controller.name);
        metrics.active.get_or_create(&of(name)).inc();
        let start = Instant::now();
        let result = self.attempt(&object.0).await;
        let took = start.elapsed();
        if result.is_ok() {
            self.failures.lock().remove(&children::key(&*object));
        }
        let (result, action) = match result {
            // Not everything that matters can be watched.
            Ok(action) if action == Action::await_change() => {
                ("success", Action::requeue(jittered(self.limits.resync)))
            }
            Ok(action) => ("requeue_after", action),
            Err(error) => ("error", self.failed(&object, &format!("{error:#}")).await),
        };
        metrics.passed(name, result, took);
        action
    }

    /// In a task of its own, a reconciler that hangs or panics cannot take others with it.
    async fn attempt(&self, object: &Result<K, InvalidObject>) -> anyhow::Result<Action> {
        let object = object.clone();
        let object = Arc::new(object.context("object does not fit its Rust type")?);
        let pass = (self.controller.reconcile)(object, self.context.clone());
        let task = AbortOnDropHandle::new(tokio::spawn(pass.in_current_span()));
        let limit = self.limits.timeout;
        let ended = timeout(limit, task).await;
        let ended = ended.with_context(|| format!("reconciler took longer than {limit:?}"))?;
        ended.unwrap_or_else(|panic| {
            let panics = &self.shared.metrics.panics;
            panics.get_or_create(&of(self.controller.name)).inc();
            bail!("reconciler panicked: {panic}")
        })
    }

    /// Tells the user, and says when to try again.
    async fn failed(&self, object: &DeserializeGuard<K>, error: &str) -> Action {
        if object.0.is_err() {
            tracing::warn!("{error}; waiting for an edit");
            self.context.warn(object, "Invalid", error).await;
            return Action::await_change();
        }
        let key = children::key(object);
        let before = self.failures.lock().remove(&key).unwrap_or(0);
        self.failures.lock().insert(key, before + 1);
        let retry_in = self.limits.retry_in(before);
        let retries = &self.shared.metrics.retries;
        retries.get_or_create(&queue(self.controller.name)).inc();
        tracing::warn!(?retry_in, "{error}");
        self.context.warn(object, "ReconcileFailed", error).await;
        Action::requeue(retry_in)
    }

    fn forget(&self, key: &Key) {
        self.failures.lock().remove(key);
        self.context.written.lock().remove(key);
    }
}
