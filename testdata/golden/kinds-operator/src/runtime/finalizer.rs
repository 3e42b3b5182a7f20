//! Finalizers: a deleted object stays until it has been cleaned up.
use super::controller::Object;
use futures::TryFutureExt;
use kube::Api;
use kube::core::Status;
use kube::runtime::controller::Action;
use kube::runtime::finalizer::{Error, Event};
use serde::Serialize;
use std::{fmt, sync::Arc, time::Duration};

/// kube's helper wants what `anyhow::Error` is not: a `std::error::Error`.
#[derive(Debug)]
struct Failed(anyhow::Error);

impl std::error::Error for Failed {}

impl fmt::Display for Failed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// `kube::runtime::finalizer` for reconcilers that fail with `anyhow::Error`.
///
/// A new object first gets the finalizer `name`, and its next pass is `Event::Apply`. Once it is
/// deleted, its passes are `Event::Cleanup` until one succeeds: then the finalizer is removed.
pub async fn finalizer<K, Pass>(
    api: &Api<K>,
    name: &str,
    obj: Arc<K>,
    reconcile: impl FnOnce(Event<K>) -> Pass,
) -> anyhow::Result<Action>
where
    K: Object + Serialize,
    Pass: Future<Output = anyhow::Result<Action>>,
{
    let pass = |event| reconcile(event).map_err(Failed);
    match kube::runtime::finalizer(api, name, obj, pass).await {
        Ok(action) => Ok(action),
        Err(Error::ApplyFailed(Failed(error)) | Error::CleanupFailed(Failed(error))) => Err(error),
        Err(
            Error::AddFinalizer(kube::Error::Api(status))
            | Error::RemoveFinalizer(kube::Error::Api(status)),
        ) if status.is_not_found() || is_outdated(&status) => {
            // The object has gone or changed meanwhile. Where it is still there, it is looked at again.
            Ok(Action::requeue(Duration::from_secs(1)))
        }
        Err(error) => Err(error.into()),
    }
}

/// Whether somebody else changed the finalizers meanwhile: the next pass sees how. What is wrong
/// with the request itself is said in `causes`.
fn is_outdated(status: &Status) -> bool {
    let causes = status.details.as_ref().map(|details| &details.causes);
    status.is_invalid() && causes.is_none_or(Vec::is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;
    use axum::http::{Method, Request, Response, StatusCode};
    use k8s_openapi::api::core::v1::ConfigMap;
    use kube::Client;
    use kube::client::Body;
    use parking_lot::Mutex;
    use serde_json::json;
    use std::convert::Infallible;

    /// A pass over a deleted object, and the requests that it sends.
    async fn pass(done: bool, code: u16, reason: &str) -> (anyhow::Result<Action>, Vec<Method>) {
        let metadata = json!({
            "name": "a",
            "finalizers": ["example.com/test"],
            "deletionTimestamp": "2026-01-01T00:00:00Z",
        });
        let obj: ConfigMap = serde_json::from_value(json!({ "metadata": metadata })).unwrap();
        let answer = match code {
            200 => serde_json::to_vec(&obj).unwrap(),
            _ => json!({ "status": "Failure", "reason": reason, "details": {}, "code": code })
                .to_string()
                .into_bytes(),
        };
        let sent = Arc::new(Mutex::new(Vec::new()));
        let log = sent.clone();
        let server = tower::service_fn(move |request: Request<Body>| {
            log.lock().push(request.method().clone());
            let mut answer = Response::new(Body::from(answer.clone()));
            *answer.status_mut() = StatusCode::from_u16(code).unwrap();
            async { Ok::<_, Infallible>(answer) }
        });
        let api = Api::default_namespaced(Client::new(server, "default"));
        let reconcile = async |event| match event {
            Event::Cleanup(_) if done => Ok(Action::await_change()),
            Event::Cleanup(_) => bail!("cannot be reached"),
            Event::Apply(_) => unreachable!("it is deleted"),
        };
        let done = finalizer(&api, "example.com/test", obj.into(), reconcile);
        let done = done.await;
        let sent = sent.lock().clone();
        (done, sent)
    }

    #[tokio::test]
    async fn a_deleted_object_stays_until_it_is_cleaned_up() {
        let (failed, sent) = pass(false, 200, "").await;
        assert_eq!(format!("{:#}", failed.unwrap_err()), "cannot be reached");
        assert_eq!(sent, [] as [Method; 0]);
        let (done, sent) = pass(true, 200, "").await;
        assert_eq!(done.unwrap(), Action::await_change());
        assert_eq!(sent, [Method::PATCH]);
    }

    #[tokio::test]
    async fn another_finalizer_that_goes_at_the_same_time_is_no_failure() {
        // The test in a JSON patch fails, or nothing is left to be patched.
        for (code, reason) in [(422, "Invalid"), (404, "NotFound")] {
            let (done, _) = pass(true, code, reason).await;
            assert_eq!(done.unwrap(), Action::requeue(Duration::from_secs(1)));
        }
    }
}
