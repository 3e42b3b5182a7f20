//! Access to the metrics: asks the API server who may read them, and caches its answers.

use axum::http::{HeaderMap, StatusCode, header};
use k8s_openapi::api::authentication::v1::TokenReview;
use k8s_openapi::api::authorization::v1::{NonResourceAttributes, SubjectAccessReview};
use kube::{Api, Client, api::PostParams};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::{net::IpAddr, sync::Arc, time::Duration};
use tokio::time::Instant;

/// The time for which a permission is cached.
const ALLOWED: Duration = Duration::from_secs(60);
/// The time for which a refusal is cached.
const REFUSED: Duration = Duration::from_secs(10);
/// The maximum number of entries in the cache of answers, and in the count of tokens per client.
const MOST: usize = 100;
/// The maximum number of new tokens of a client within [`REFUSED`]: a client needs one or two.
const UNKNOWN: usize = 10;

/// The answers of the API server about tokens, which are requested and cached.
pub struct Reviews {
    client: Client,
    /// The hasher of the tokens: only hashes of tokens are cached.
    hasher: RandomState,
    known: Mutex<Known>,
}

/// The answer about a token: access, or the status code for a client without access.
type Answer = Result<(), StatusCode>;

/// The answer about a token, if it is known. Locked while the API server is asked, so that requests
/// with the same token wait for one answer. Requests with other tokens do not wait.
type Cached = Arc<tokio::sync::Mutex<Option<(Instant, Answer)>>>;

#[derive(Default)]
struct Known {
    answers: HashMap<u64, Cached>,
    /// The number of new tokens of each client since the time `since`.
    asked: HashMap<IpAddr, usize>,
    since: Option<Instant>,
}

impl Known {
    /// Returns the cached answer about the token; `None` if the client sent too many new tokens.
    fn place(&mut self, token: u64, peer: IpAddr) -> Option<Cached> {
        if let Some(cached) = self.answers.get(&token) {
            return Some(cached.clone());
        }
        let is_past = self.since.is_none_or(|since| since.elapsed() >= REFUSED);
        if is_past || self.asked.len() >= MOST {
            (self.asked, self.since) = (HashMap::new(), Some(Instant::now()));
        }
        let count = self.asked.entry(peer).or_default();
        *count += 1;
        if *count > UNKNOWN {
            return None;
        }
        if self.answers.len() >= MOST {
            self.answers.clear();
        }
        Some(self.answers.entry(token).or_default().clone())
    }
}

impl Reviews {
    pub fn new(client: Client) -> Self {
        Self {
            client,
            hasher: RandomState::new(),
            known: Mutex::default(),
        }
    }

    pub async fn may_read_metrics(&self, peer: IpAddr, headers: &HeaderMap) -> Answer {
        let header = headers.get(header::AUTHORIZATION);
        let header = header.and_then(|value| value.to_str().ok());
        let token = header.and_then(|value| value.strip_prefix("Bearer "));
        let token = token.ok_or(StatusCode::UNAUTHORIZED)?;
        let place = self.known.lock().place(self.hasher.hash_one(token), peer);
        let place = place.ok_or(StatusCode::TOO_MANY_REQUESTS)?;
        let mut cached = place.lock().await;
        let lasts = |answer: &Answer| if answer.is_ok() { ALLOWED } else { REFUSED };
        if let Some((_, answer)) = cached.filter(|(since, answer)| since.elapsed() < lasts(answer))
        {
            return answer;
        }
        let answer = review(&self.client, token).await.unwrap_or_else(|error| {
            tracing::warn!("cannot check whether a client may read the metrics: {error}");
            Err(StatusCode::INTERNAL_SERVER_ERROR)
        });
        if answer != Err(StatusCode::INTERNAL_SERVER_ERROR) {
            *cached = Some((Instant::now(), answer));
        }
        answer
    }
}

/// Asks the API server for the user of the token, and whether this user may get `/metrics`.
async fn review(client: &Client, token: &str) -> kube::Result<Answer> {
    let parameters = PostParams::default();
    let mut review = TokenReview::default();
    review.spec.token = token.to_owned();
    let reviews = Api::all(client.clone());
    let review = reviews.create(&parameters, &review).await?;
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
    let reviews = Api::all(client.clone());
    let review = reviews.create(&parameters, &review).await?;
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

    /// Returns `Reviews` with a fake API server that allows everybody, and its count of requests.
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
        let peer = IpAddr::from([10, 0, 0, 1]);
        let none = reviews.may_read_metrics(peer, &HeaderMap::new()).await;
        assert_eq!(
            (none, asked.load(Ordering::Relaxed)),
            (Err(StatusCode::UNAUTHORIZED), 0)
        );
        for (token, requests) in [("Bearer a", 2), ("Bearer a", 2), ("Bearer b", 4)] {
            assert_eq!(reviews.may_read_metrics(peer, &with(token)).await, Ok(()));
            assert_eq!(asked.load(Ordering::Relaxed), requests, "{token}");
        }
        tokio::time::advance(ALLOWED).await;
        let answer = reviews.may_read_metrics(peer, &with("Bearer a")).await;
        assert_eq!(answer, Ok(()));
        assert_eq!(asked.load(Ordering::Relaxed), 6);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_guesses_tokens_keeps_no_other_client_waiting() {
        let (reviews, asked) = reviews();
        let [guesser, prometheus] = [1, 2].map(|last| IpAddr::from([10, 0, 0, last]));
        for token in 0..1000 {
            let token = with(&format!("Bearer {token}"));
            let _ = reviews.may_read_metrics(guesser, &token).await;
        }
        assert_eq!(asked.load(Ordering::Relaxed), 2 * UNKNOWN as u32);
        let token = with("Bearer good");
        for _ in 0..3 {
            assert_eq!(reviews.may_read_metrics(prometheus, &token).await, Ok(()));
        }
        assert_eq!(asked.load(Ordering::Relaxed), 2 * UNKNOWN as u32 + 2);
        let other = reviews.may_read_metrics(guesser, &with("Bearer x")).await;
        assert_eq!(other, Err(StatusCode::TOO_MANY_REQUESTS));
        tokio::time::advance(REFUSED).await;
        assert_eq!(
            reviews.may_read_metrics(guesser, &with("Bearer x")).await,
            Ok(())
        );
    }
}
