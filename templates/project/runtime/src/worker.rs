//! The worker of a controller: it calls the reconciler and handles the result.

mod deletion;

use crate::action::{Action, Again};
use crate::cache::{Cached, Event, Key};
use crate::cluster::{Cluster, Watched};
use crate::conditions;
use crate::failure::{ApplyError, DoesNotFit, TerminalError};
use crate::failure::{find, is_of_deleted_namespace, is_outdated, message};
use crate::finalizer::Finalizer;
use crate::lists::Lists;
use crate::metrics::{of, queue};
use crate::observed::Observed;
use crate::pass::{Gone, Reconcile, SetCondition, span};
use crate::priority::Priority;
use crate::queue::Queue;
use crate::settings::{Failures, Limits};
use crate::shared::Shared;
use anyhow::{Context as _, Result, bail};
use futures::{StreamExt, stream::FuturesUnordered};
use kube::{Resource, runtime::events::EventType};
use parking_lot::Mutex;
use std::sync::{Arc, atomic::Ordering::Relaxed};
use std::{collections::HashMap, pin::pin, time::Duration};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, interval, sleep, timeout, timeout_at};
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

/// The pause before an object is reconciled again because another client changed it meanwhile.
const SOON: Duration = Duration::from_secs(1);
/// The time limit for setting the status of an object whose reconciliation failed.
const SET_CONDITION: Duration = Duration::from_secs(10);
/// The maximum number of reconciliations of an object in a row that may end in a conflict,
/// because the cache is stale. A further conflict is a failure.
const CONFLICTS: u32 = 10;

/// The settings and functions of a controller that its worker uses.
pub struct Parts {
    pub name: &'static str,
    pub reconcile: Reconcile,
    pub set_condition: Option<SetCondition>,
    pub finalizers: Vec<Finalizer>,
    pub gone: Option<Gone>,
    pub limits: Limits,
}

pub(crate) struct Worker {
    parts: Parts,
    cluster: Arc<Cluster>,
    shared: Shared,
    /// The objects whose last reconciliation failed.
    failures: Mutex<HashMap<Key, Failures>>,
    /// The number of reconciliations in a row that ended in a conflict, for each object.
    conflicts: Mutex<HashMap<Key, u32>>,
    #[cfg(feature = "telemetry")]
    traces: crate::telemetry::traces::Traces,
}

impl Worker {
    pub fn new(parts: Parts, cluster: Cluster, shared: Shared) -> Self {
        Self {
            parts,
            cluster: Arc::new(cluster),
            shared,
            failures: Mutex::default(),
            conflicts: Mutex::default(),
            #[cfg(feature = "telemetry")]
            traces: Default::default(),
        }
    }

    /// Reconciles the objects of the chosen namespaces, or of all namespaces, until the process is
    /// told to stop.
    pub async fn work(self, mut changes: UnboundedReceiver<Event>) -> Result<()> {
        let (name, shared, cluster) = (self.parts.name, &self.shared, &self.cluster);
        let caches: Vec<_> = cluster.views.all().map(|view| &**view).collect();
        let mut lists = Lists::new(&caches);
        for view in cluster.views.all() {
            view.subscribe(&cluster.changed);
        }
        shared.metrics.unlisted(name, lists.left());
        let mut is_started = false;
        let mut waiting = Queue::default();
        let mut passes = FuturesUnordered::new();
        let mut beat = interval(Duration::from_secs(1));
        let mut overdue = pin!(async {
            shared.stop.cancelled().await;
            sleep(shared.settings.grace()).await;
        });
        // All of this runs in one task: if anything blocks the task, the heartbeat stops.
        loop {
            let stopping = shared.stop.is_cancelled();
            if stopping && passes.is_empty() {
                return Ok(());
            }
            let room = passes.len() < self.parts.limits.concurrency.into();
            // In this order, so that the same events in the same order have the same outcome. The
            // heartbeat comes first: it is rarely due, and nothing may delay it.
            tokio::select! {
                biased;
                _ = beat.tick(), if is_started => {
                    shared.health.beat(name);
                    shared.metrics.queued(name, &waiting);
                }
                () = &mut overdue => {
                    tracing::warn!(controller = name, "stopped waiting for passes that do not end");
                    return Ok(());
                }
                () = shared.stop.cancelled(), if !stopping => {}
                Some((namespace, early)) = lists.next() => {
                    let objects = cluster.views.objects.select(None, None).len();
                    tracing::info!(controller = name, namespace, objects, "started");
                    for (key, priority) in early {
                        waiting.add(key, Duration::ZERO, priority);
                    }
                    for key in self.affected_at_start(namespace.as_deref()) {
                        waiting.add(key, Duration::ZERO, Priority::Low);
                    }
                    shared.metrics.unlisted(name, lists.left());
                    is_started = true;
                }
                Some((key, again)) = passes.next() => waiting.done(key, again),
                Some(event) = changes.recv(), if !stopping => {
                    let (keys, priority) = match event {
                        Event::Due(key) => (vec![key], Priority::High),
                        Event::Changed(view, key, states, priority) => {
                            (cluster.affected(view, &key, &states), priority)
                        }
                    };
                    for key in keys {
                        shared.metrics.adds.get_or_create(&queue(name)).inc();
                        if let Some(key) = lists.pass_on(key, priority) {
                            waiting.add(key, self.parts.limits.debounce, priority);
                        }
                    }
                }
                (key, since) = waiting.next(), if room && !stopping => {
                    shared.metrics.waited(name, since.elapsed());
                    passes.push(self.pass(key));
                }
            }
        }
    }

    /// Returns the objects in a namespace, or in all namespaces, that watched objects affect. At
    /// the start, such an object may miss its reconciliation: the predicate for new objects rejects
    /// it, and the watched object was listed before the affected object was in the cache. Also
    /// returns the keys of deleted objects that have left children in other namespaces.
    fn affected_at_start(&self, namespace: Option<&str>) -> Vec<Key> {
        let mut affected = Vec::new();
        if self.cluster.views.objects.predicates.create.is_some() {
            for Watched { view, affects } in &self.cluster.views.watched {
                for (key, cached) in view.select(None, None) {
                    if view.predicates.matter(None, Some(&cached)) {
                        affected.extend(affects(&self.cluster, &key, &[cached]));
                    }
                }
            }
        }
        // The owners were not listed when the watches of their children began.
        let children = self.cluster.views.children.iter();
        for view in children.filter(|view| view.across_namespaces) {
            let children = view.select(None, None).into_iter();
            affected.extend(children.filter_map(|(_, child)| self.cluster.former_owner(&child)));
        }
        affected.retain(|key| namespace.is_none() || key.namespace() == namespace);
        affected
    }

    /// Reconciles an object. Returns its key, and the pause before the object is reconciled again
    /// even without a change.
    async fn pass(&self, key: Key) -> (Key, Option<Duration>) {
        let cached = self.cluster.views.objects.get(&key);
        let Some(cached) = cached.filter(|cached| !cached.is_gone()) else {
            let again = self.lost(&key).await;
            return (key, again);
        };
        let failures = self.failures.lock().get(&key).map_or(0, |one| one.count);
        let kind = &self.cluster.views.objects.kind;
        let span = span(self.parts.name, kind, &key, &cached, failures + 1);
        #[cfg(feature = "telemetry")]
        self.traces.begin(&span, kind, &key, &cached);
        let again = self.reconcile(&key, cached).instrument(span).await;
        (key, again)
    }

    /// Reconciles an object that is in the cache. Returns the same pause as [`Worker::pass`].
    async fn reconcile(&self, key: &Key, cached: Arc<Cached>) -> Option<Duration> {
        let (metrics, name) = (&self.shared.metrics, self.parts.name);
        metrics.active.get_or_create(&of(name)).inc();
        let start = Instant::now();
        let deadline = start + self.parts.limits.timeout;
        let result = self.stage(key, cached, deadline).await;
        let took = start.elapsed();
        let known = self.cluster.views.objects.get(key);
        #[cfg(feature = "telemetry")]
        self.traces.end(key, known.as_deref(), &result);
        known.inspect(|known| known.may_be_gone.store(true, Relaxed));
        if result.is_ok() {
            self.forget(key);
        }
        let (result, again) = match result {
            Ok(Action(Again::Resync)) => ("success", self.parts.limits.resync_in(key)),
            Ok(Action(Again::Never)) => ("success", None),
            Ok(Action(Again::After(delay))) => ("requeue_after", Some(delay)),
            Err(error) if is_outdated(&error) && self.may_conflict(key) => {
                tracing::debug!("{}; the cache is stale", message(&error));
                ("requeue_after", Some(SOON))
            }
            Err(error) if is_of_deleted_namespace(&error) => {
                // Nothing can be made there, and the object is about to be deleted, too.
                tracing::debug!("{}", message(&error));
                ("requeue_after", Some(self.parts.limits.backoff.1))
            }
            Err(error) => ("error", self.failed(key, &error).await),
        };
        metrics.passed(name, result, took);
        again
    }

    fn forget(&self, key: &Key) {
        self.failures.lock().remove(key);
        self.conflicts.lock().remove(key);
    }

    fn may_conflict(&self, key: &Key) -> bool {
        let mut conflicts = self.conflicts.lock();
        let count = conflicts.entry(key.clone()).or_default();
        *count = count.saturating_add(1);
        *count <= CONFLICTS
    }

    /// Reconciles the object, or cleans up if it is being deleted, until `deadline` at most.
    async fn stage(&self, key: &Key, mut cached: Arc<Cached>, deadline: Instant) -> Result<Action> {
        let (cluster, reconcile) = (&self.cluster, &self.parts.reconcile);
        let dangling = self.delete_dangling(key).await;
        if cached.deleting {
            return self.clean_up(key, cached, deadline).await;
        }
        if let Some(now) = &dangling.owner {
            cluster.ensure_alive(key, &cached.uid, now)?;
        }
        for finalizer in &self.parts.finalizers {
            if !finalizer.is_held(&cached)? {
                // Else nobody could clean up behind it, and it would stay forever.
                drop(reconcile(&cached.json(), cluster.clone()).map_err(DoesNotFit)?);
                let put = finalizer.put(cluster, key, &cached, true);
                if !self.until(deadline, put).await?? {
                    return Ok(Action::requeue(SOON));
                }
                match cluster.views.objects.get(key) {
                    Some(now) if now.uid != cached.uid || now.deleting => {
                        return Ok(Action::requeue(SOON));
                    }
                    now => cached = now.unwrap_or(cached),
                }
            }
        }
        match self.attempt(reconcile, &cached, deadline).await {
            // The cache still has the deleted children, whose names are taken until then.
            Err(_) if dangling.deleted => Ok(Action::requeue(SOON)),
            Ok(action) if dangling.result.is_err() => {
                Ok(action.within(self.parts.limits.backoff.1))
            }
            result => result,
        }
    }

    /// Waits for a step of a reconciliation, at most until `deadline`.
    async fn until<Step: Future>(&self, deadline: Instant, step: Step) -> Result<Step::Output> {
        let limit = self.parts.limits.timeout;
        let ended = timeout_at(deadline, step).await;
        ended.with_context(|| format!("reconciler took longer than {limit:?}"))
    }

    /// Calls the reconciler in a separate task, so that a call that hangs or panics does not affect
    /// other objects.
    async fn attempt(
        &self,
        reconcile: &Reconcile,
        cached: &Cached,
        deadline: Instant,
    ) -> Result<Action> {
        let pass = reconcile(&cached.json(), self.cluster.clone()).map_err(DoesNotFit)?;
        let mut task = AbortOnDropHandle::new(tokio::spawn(pass.in_current_span()));
        let ended = match self.until(deadline, &mut task).await {
            Ok(ended) => ended,
            Err(late) => {
                task.abort();
                // A task ends at an await. Until then, it must not run beside the next pass.
                drop(task.await);
                return Err(late);
            }
        };
        ended.unwrap_or_else(|panic| {
            let panics = &self.shared.metrics.panics;
            panics.get_or_create(&of(self.parts.name)).inc();
            bail!("reconciler panicked: {panic}")
        })
    }

    /// Reports the failure to the user. Returns the pause before the object is tried again; `None`
    /// if it is not tried again.
    async fn failed(&self, key: &Key, error: &anyhow::Error) -> Option<Duration> {
        let message = message(error);
        let known = self.cluster.views.objects.get(key);
        let Some(cached) = known.filter(|known| !known.is_gone()) else {
            tracing::warn!("{message}; the object is gone");
            return None;
        };
        let about = Observed::without_data(cached.metadata().ok()?);
        let about = about.object_ref(&self.cluster.views.objects.kind);
        let events = &self.cluster.events;
        if error.is::<DoesNotFit>() {
            tracing::warn!("{message}; waiting for an edit");
            events.publish(about, EventType::Warning, "Invalid", &message);
            return None;
        }
        let failed = match cached.deleting {
            true => "CleanupFailed",
            false => "ReconcileFailed",
        };
        let terminal = find(error).map(|TerminalError { reason, .. }| &**reason);
        let event = terminal.unwrap_or(failed);
        events.publish(about, EventType::Warning, event, &message);
        let reason = terminal.unwrap_or_else(|| match find(error) {
            Some(ApplyError::NameTaken(_)) => "NameTaken",
            _ => conditions::refusal(&message).unwrap_or(failed),
        });
        let set = self.set_unready(&cached, reason, &message).await;
        let fault = set.as_ref().err().filter(|error| !is_outdated(error));
        fault.inspect(|error| tracing::warn!("{error:#}"));
        if terminal.is_some() && set.is_ok() {
            tracing::warn!("{message}; waiting for a change");
            self.forget(key);
            return self.parts.limits.resync_in(key);
        }
        let retry_in = self.retry_in(key);
        tracing::warn!(?retry_in, "{message}");
        Some(retry_in)
    }

    /// Counts a failure of the object. Returns the pause before the object is tried again.
    fn retry_in(&self, key: &Key) -> Duration {
        let retries = &self.shared.metrics.retries;
        retries.get_or_create(&queue(self.parts.name)).inc();
        let mut all = self.failures.lock();
        let before = all.remove(key);
        let (failures, retry_in) = Failures::count(before, Instant::now(), &self.parts.limits, key);
        all.insert(key.clone(), failures);
        retry_in
    }

    /// Sets the condition `Ready` to `False` if the author has called `Controller::conditions`.
    async fn set_unready(&self, cached: &Cached, reason: &str, message: &str) -> Result<()> {
        let Some(set_condition) = &self.parts.set_condition else {
            return Ok(());
        };
        let unready = conditions::new("Ready", false, reason, message);
        let set = set_condition(&cached.json(), self.cluster.clone(), unready)?;
        timeout(SET_CONDITION, set).await?
    }
}
