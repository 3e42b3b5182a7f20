//! Access to the metrics: asks the API server who may read them, and caches its answers.

use axum::http::{HeaderMap, StatusCode, header};
use k8s_openapi::api::authentication::v1::TokenReview;
use k8s_openapi::api::authorization::v1::{NonResourceAttributes, SubjectAccessReview};
use kube::{Api, Client, api::PostParams};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// The time for which a permission is cached.
const ALLOWED: Duration = Duration::from_secs(60);
/// The time for which a refusal is cached.
const REFUSED: Duration = Duration::from_secs(10);
/// The largest number of cached answers.
const MOST: usize = 100;

/// Asks the API server about tokens, and caches its answers.
pub struct Reviews {
    client: Client,
    /// Hashes the tokens: only their hashes are cached.
    hasher: RandomState,
    /// Locked while the API server is asked: it gets one request at a time, however many clients
    /// ask for metrics, and with whatever tokens.
    known: Mutex<HashMap<u64, (Instant, Answer)>>,
}

/// The error is the status code for a client that may not read the metrics.
type Answer = Result<(), StatusCode>;

impl Reviews {
    pub fn new(client: Client) -> Self {
        Self {
            client,
            hasher: RandomState::new(),
            known: Mutex::default(),
        }
    }

    pub async fn may_read_metrics(&self, headers: &HeaderMap) -> Answer {
        let header = headers.get(header::AUTHORIZATION);
        let header = header.and_then(|value| value.to_str().ok());
        let token = header.and_then(|value| value.strip_prefix("Bearer "));
        let token = token.ok_or(StatusCode::UNAUTHORIZED)?;
        let hash = self.hasher.hash_one(token);
        let mut known = self.known.lock().await;
        known.retain(|_, (since, answer)| {
            since.elapsed() < if answer.is_ok() { ALLOWED } else { REFUSED }
        });
        if let Some((_, answer)) = known.get(&hash) {
            return *answer;
        }
        let answer = review(&self.client, token).await.unwrap_or_else(|error| {
            tracing::warn!("cannot ask who may read the metrics: {error}");
            Err(StatusCode::INTERNAL_SERVER_ERROR)
        });
        if known.len() < MOST && answer != Err(StatusCode::INTERNAL_SERVER_ERROR) {
            known.insert(hash, (Instant::now(), answer));
        }
        answer
    }
}

/// Asks the API server for the user of the token, and if this user may get /metrics.
async fn review(client: &Client, token: &str) -> kube::Result<Answer> {
    let parameters = PostParams::default();
    let mut review = TokenReview::default();
    review.spec.token = token.to_owned();
    let review = Api::all(client.clone())
        .create(&parameters, &review)
        .await?;
    let status = review.status.unwrap_or_default();
    let Some(user) = status.user.filter(|_| status.authenticated == Some(true)) else {
        return Ok(Err(StatusCode::UNAUTHORIZED));
    };
    let (path, verb) = (Some("/metrics".into()), Some("get".into()));
    let mut review = SubjectAccessReview::default();
    review.spec.non_resource_attributes = Some(NonResourceAttributes { path, verb });
    review.spec.user = user.username;
    review.spec.uid = user.uid;
    review.spec.groups = user.groups;
    review.spec.extra = user.extra;
    let review = Api::all(client.clone())
        .create(&parameters, &review)
        .await?;
    let allowed = review.status.is_some_and(|status| status.allowed);
    Ok(allowed.then_some(()).ok_or(StatusCode::FORBIDDEN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{Request, Response};
    use kube::client::Body;
    use serde_json::json;
    use std::convert::Infallible;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// An API server that allows everybody, and counts the requests.
    fn reviews() -> (Reviews, Arc<AtomicU32>) {
        let asked = Arc::new(AtomicU32::new(0));
        let count = asked.clone();
        let service = tower::service_fn(move |_: Request<Body>| {
            count.fetch_add(1, Ordering::Relaxed);
            let status = json!({ "authenticated": true, "user": {}, "allowed": true });
            let answer = json!({ "metadata": {}, "spec": {}, "status": status }).to_string();
            let answer = Response::new(Body::from(answer.into_bytes()));
            async { Ok::<_, Infallible>(answer) }
        });
        (Reviews::new(Client::new(service, "default")), asked)
    }

    fn with(token: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::AUTHORIZATION, token.parse().unwrap())])
    }

    #[tokio::test(start_paused = true)]
    async fn a_token_is_reviewed_once_a_minute() {
        let (reviews, asked) = reviews();
        let none = reviews.may_read_metrics(&HeaderMap::new()).await;
        assert_eq!(
            (none, asked.load(Ordering::Relaxed)),
            (Err(StatusCode::UNAUTHORIZED), 0)
        );
        for (token, requests) in [("Bearer a", 2), ("Bearer a", 2), ("Bearer b", 4)] {
            assert_eq!(reviews.may_read_metrics(&with(token)).await, Ok(()));
            assert_eq!(asked.load(Ordering::Relaxed), requests, "{token}");
        }
        tokio::time::advance(ALLOWED).await;
        reviews.may_read_metrics(&with("Bearer a")).await.unwrap();
        assert_eq!(asked.load(Ordering::Relaxed), 6);
    }
}
