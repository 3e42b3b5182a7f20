// Copyright Example Inc.
// SPDX-License-Identifier: Apache-2.0

//! One controller from start to end: what happens around each call of its reconciler.
use super::{Context, backoff::Backoff, server::Readiness};
use anyhow::ensure;
use futures::{FutureExt, StreamExt};
use kube::{
    Resource,
    core::{DeserializeGuard, error_boundary::InvalidObject},
    runtime::{
        Controller,
        controller::{Action, Error as ControllerError},
        reflector::ObjectRef,
        watcher::Error as WatchError,
    },
};
use serde::de::DeserializeOwned;
use std::{fmt::Debug, future, panic::AssertUnwindSafe, sync::Arc, time::Duration};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

/// For one pass: kube's client would wait for an answer without a limit.
const TIMEOUT: Duration = Duration::from_secs(60);
/// For the passes under way when the process is told to stop. It must be less than
/// `terminationGracePeriodSeconds` in config/manager/manager.yaml.
const GRACE: Duration = Duration::from_secs(25);

#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("object does not fit its Rust type: {0}")]
    Invalid(Box<InvalidObject>),
    #[error("reconciler panicked")]
    Panicked,
    #[error("reconciler took longer than {TIMEOUT:?}")]
    TimedOut,
    #[error("{0:#}")]
    Failed(anyhow::Error),
}

pub(super) async fn run<K, F>(
    controller: Controller<DeserializeGuard<K>>,
    reconcile: impl Fn(Arc<K>, Arc<Context>) -> F,
    context: Arc<Context>,
    readiness: Readiness,
    stop: CancellationToken,
) -> anyhow::Result<()>
where
    K: Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned + Send + Sync + 'static,
    F: Future<Output = anyhow::Result<Action>> + Send + 'static,
{
    let key = |obj: &DeserializeGuard<K>| ObjectRef::from_obj(obj).erase();
    let pass = |obj: Arc<DeserializeGuard<K>>, backoff: Arc<Backoff<_>>| {
        let started = match &obj.0 {
            Ok(obj) => Ok(reconcile(Arc::new(obj.clone()), context.clone())),
            Err(invalid) => Err(Error::Invalid(Box::new(invalid.clone()))),
        };
        async move {
            let action = bounded(started?).await?;
            backoff.reset(&key(&obj));
            Ok(action)
        }
    };
    let on_error = |obj: Arc<DeserializeGuard<K>>, error: &Error, backoff: Arc<Backoff<_>>| {
        if let Error::Invalid(_) = error {
            tracing::warn!("{error}; waiting for an edit");
            return Action::await_change();
        }
        let retry_in = backoff.next(key(&obj));
        tracing::warn!(?retry_in, "{error}");
        Action::requeue(retry_in)
    };

    let backoff = Arc::new(Backoff::default());
    let resource = format!("{}.{}", K::plural(&()), K::group(&()));
    let store = controller.store();
    let run = controller
        .graceful_shutdown_on(stop.clone().cancelled_owned())
        .run(pass, on_error, backoff.clone())
        .for_each(|result| {
            match result {
                Ok((object, _)) => tracing::debug!(%object, "reconciled"),
                Err(ControllerError::ReconcilerFailed(..)) => {} // `on_error` has logged it
                Err(ControllerError::ObjectNotFound(object)) => backoff.reset(&object),
                Err(ControllerError::QueueError(error)) if is_unknown(&error) => {
                    tracing::warn!(resource, "unknown to the cluster: is the CRD installed?");
                }
                Err(error) => tracing::warn!(resource, "{error}"),
            }
            future::ready(())
        });
    // Two traps of kube 5: a controller told to stop before its store is filled never stops, and
    // of several tasks that wait for a store only one is woken. So the waiting is done here, in
    // the task that also runs the controller, and can end it.
    let overdue = async {
        tokio::select! {
            _ = store.wait_until_ready() => {}
            () = stop.cancelled() => return,
        }
        tracing::info!(resource, "controller started");
        readiness.one_is_ready();
        stop.cancelled().await;
        sleep(GRACE).await;
        tracing::warn!(resource, "giving up reconciliations that do not end");
    };
    tokio::select! {
        () = run => ensure!(stop.is_cancelled(), "the controller of {resource} ended by itself"),
        () = overdue => {}
    }
    Ok(())
}

fn is_unknown(error: &WatchError) -> bool {
    matches!(error, WatchError::InitialListFailed(kube::Error::Api(status)) if status.code == 404)
}

/// Keeps a pass that hangs or panics from taking the others with it.
async fn bounded(pass: impl Future<Output = anyhow::Result<Action>>) -> Result<Action, Error> {
    AssertUnwindSafe(timeout(TIMEOUT, pass))
        .catch_unwind()
        .await
        .map_err(|_| Error::Panicked)?
        .map_err(|_| Error::TimedOut)?
        .map_err(Error::Failed)
}
