//! The work for an object that is being deleted or was deleted.

use super::{SOON, Worker};
use crate::action::Action;
use crate::cache::{Cached, Key};
use crate::dangling::Dangling;
use crate::name::Name;
use crate::typed::guarded;
use anyhow::Result;
use std::{sync::Arc, time::Duration};
use tokio::time::{Instant, timeout};

/// The time limit for deleting the children of a deleted object.
const DANGLING: Duration = Duration::from_secs(10);

impl Worker {
    /// Calls the cleanup of each finalizer that the object has, and then removes this finalizer.
    /// Does nothing for an object without a finalizer, and never reconciles: a pass would create
    /// children again that the garbage collector deletes before their owner.
    pub(super) async fn clean_up(
        &self,
        key: &Key,
        mut cached: Arc<Cached>,
        deadline: Instant,
    ) -> Result<Action> {
        let (cluster, mut action) = (&self.cluster, Action::await_change());
        // Returns the latest state of the object; `None` if another object has its name.
        let latest = |known: Arc<Cached>| match cluster.views.objects.get(key) {
            Some(now) => (now.uid == known.uid).then_some(now),
            None => Some(known),
        };
        for finalizer in &self.parts.finalizers {
            if !finalizer.is_held(&cached)? {
                continue;
            }
            action = self.attempt(&finalizer.cleanup, &cached, deadline).await?;
            let Some(now) = latest(cached) else {
                return Ok(Action::requeue(SOON));
            };
            let put = finalizer.put(cluster, key, &now, false);
            let is_put = self.until(deadline, put).await??;
            let Some(now) = latest(now).filter(|_| is_put) else {
                return Ok(Action::requeue(SOON));
            };
            cached = now;
        }
        Ok(action)
    }

    /// Handles an object that the cache does not contain, or that an answer of the API server has
    /// shown to be deleted: calls the function of `on_gone`, and deletes the children that
    /// Kubernetes does not delete. Returns the pause before the next attempt if this fails.
    pub(super) async fn lost(&self, key: &Key) -> Option<Duration> {
        #[cfg(feature = "telemetry")]
        self.traces.forget(key);
        // An object that an answer has shown to be deleted may still have a cleanup to run.
        let known = self.cluster.views.objects.get(key);
        if let Some(gone) = self.parts.gone.as_ref().filter(|_| known.is_none()) {
            guarded(|| gone(Name::of(key)));
        }
        if self.delete_dangling(key).await.result.is_ok() {
            self.forget(key);
            return None;
        }
        Some(self.retry_in(key))
    }

    /// Deletes the children that deleted objects with this key have left, and logs a failure. The
    /// reconciler and the cleanups wait at most [`DANGLING`] for it.
    pub(super) async fn delete_dangling(&self, key: &Key) -> Dangling {
        let children = timeout(DANGLING, self.cluster.delete_dangling(key));
        let dangling = children.await.unwrap_or_else(|late| Dangling {
            owner: None,
            deleted: false,
            result: Err(late.into()),
        });
        if let Err(error) = &dangling.result {
            tracing::warn!(
                ?key,
                "cannot delete the children of a deleted object: {error:#}"
            );
        }
        dangling
    }
}
