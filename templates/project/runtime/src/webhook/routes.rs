//! The HTTP routes of webhooks, with the checks and limits of requests.

use super::bodies::{Bodies, Hold};
use super::handler::{Answer, Asker, Webhook};
use super::http2::WINDOW;
use super::metrics::Metrics;
use super::reply::Failure;
use crate::connections::Connection;
use anyhow::Context;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request as HttpRequest;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing::post};
use futures::{FutureExt, StreamExt, stream};
use std::time::{Duration, Instant};
use std::{convert::Infallible, panic::AssertUnwindSafe, sync::Arc};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// The time limit of a webhook if the API server does not send one.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The longest time for which the API server waits for any webhook.
const LONGEST: Duration = Duration::from_secs(30);

/// The header value that tells an HTTP/1.1 client to open another connection for its next request.
const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// The checks and limits that a request has to pass before its body is read.
#[derive(Clone)]
pub struct Door {
    pub bodies: Arc<Bodies>,
    pub asks_for_certificate: bool,
    pub stop: CancellationToken,
}

/// Makes the routes of all webhooks.
pub fn routes(webhooks: Vec<Webhook>, door: &Door, metrics: &Metrics) -> Router {
    let missing = async |uri: Uri| {
        let why = format!("no webhook is served at {}", uri.path());
        (StatusCode::NOT_FOUND, why)
    };
    let mut routes = Router::new().fallback(missing);
    for Webhook {
        path,
        asker,
        limit,
        answer,
        ..
    } in webhooks
    {
        let (metrics, name, mut door) = (metrics.clone(), path.clone(), door.clone());
        metrics.show(&name);
        // The API server has a certificate for admission only.
        door.asks_for_certificate &= !matches!(asker, Asker::Definition(_));
        let respond = post(async move |request: HttpRequest| {
            let (begun, _under_way) = (Instant::now(), metrics.under_way(&name));
            let time = time_limit(request.uri());
            let answer = door.answered(request, limit, answer);
            // The call may panic, and so may its future.
            let answer = AssertUnwindSafe(timeout(time, answer)).catch_unwind();
            let answer = match answer.await {
                Ok(Ok(answer)) => answer,
                Ok(Err(_)) => {
                    let why = format!("the webhook has not answered within {time:?}");
                    Err(Failure::new(StatusCode::GATEWAY_TIMEOUT, why))
                }
                Err(panic) => {
                    metrics.panicked(&name);
                    Err(Failure::of_panic(&*panic))
                }
            };
            let mut response = response(&name, answer);
            metrics.answered(&name, response.status(), begun.elapsed());
            if door.stop.is_cancelled() {
                response.headers_mut().insert(header::CONNECTION, CLOSE);
            }
            response
        });
        routes = routes.route(&path, respond);
    }
    routes
}

impl Door {
    async fn answered(
        &self,
        request: HttpRequest,
        limit: usize,
        answer: Answer,
    ) -> Result<(Vec<u8>, Hold), Failure> {
        let (head, body) = request.into_parts();
        let connection = head.extensions.get::<Arc<Connection>>();
        let connection = connection.context("no connection");
        let connection = connection.map_err(|error| Failure::of_function(&error))?;
        if self.asks_for_certificate && connection.trusted.get() != Some(&true) {
            let why = "the client must present a certificate of the --webhook-client-ca";
            return Err(Failure::new(StatusCode::UNAUTHORIZED, why));
        }
        let length = length(&head.headers, &body, limit)?;
        let hold = self.bodies.hold(connection, length).await?;
        let body = read(body, length).await?;
        hold.is_sent(false);
        let _room = self.bodies.work(&body).await?;
        let json = answer(body).await?;
        hold.is_sent(true);
        Ok((json, hold))
    }
}

/// Returns the content-length of an unread JSON body, which must not exceed `limit`.
fn length(headers: &HeaderMap, body: &Body, limit: usize) -> Result<usize, Failure> {
    let type_ = headers.get(header::CONTENT_TYPE);
    let type_ = type_.map_or("", |type_| type_.to_str().unwrap_or_default());
    if !type_.starts_with("application/json") {
        let why = format!("the content-type must be application/json, and is `{type_}`");
        return Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
    }
    let length = body.size_hint().exact().map(usize::try_from);
    match length {
        Some(Ok(length)) if length <= limit => Ok(length),
        None => {
            let why = "the request has no content-length";
            Err(Failure::new(StatusCode::LENGTH_REQUIRED, why))
        }
        _ => {
            let why = format!("the request is longer than {limit} bytes");
            Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, why))
        }
    }
}

async fn read(body: Body, length: usize) -> Result<Bytes, Failure> {
    let mut read = Vec::with_capacity(length);
    let mut parts = body.into_data_stream();
    while let Some(part) = parts.next().await {
        let part = part.map_err(|error| {
            let why = format!("the request ends early: {:#}", anyhow::Error::from(error));
            Failure::new(StatusCode::BAD_REQUEST, why)
        })?;
        read.extend_from_slice(&part);
    }
    Ok(read.into())
}

fn response(webhook: &str, answer: Result<(Vec<u8>, Hold), Failure>) -> Response {
    match answer {
        Ok((json, hold)) => {
            let headers = [
                (header::CONTENT_TYPE, "application/json".to_owned()),
                (header::CONTENT_LENGTH, json.len().to_string()),
            ];
            // In parts, so that it is held until the client has read most of it.
            let parts = stream::unfold((Bytes::from(json), hold), async |(mut rest, hold)| {
                let part = rest.split_to(rest.len().min(WINDOW));
                (!part.is_empty()).then_some((Ok::<_, Infallible>(part), (rest, hold)))
            });
            (headers, Body::from_stream(parts)).into_response()
        }
        Err(Failure { code, why }) => {
            tracing::warn!(webhook, code = code.as_u16(), "{why}");
            (code, why).into_response()
        }
    }
}

/// Returns slightly less than the timeout of the API server, which is in the query
/// (`?timeout=10s`), so that the API server still gets the reason of a timeout.
fn time_limit(uri: &Uri) -> Duration {
    let mut parameters = uri.query().unwrap_or_default().split('&');
    let time = parameters.find_map(|parameter| parameter.strip_prefix("timeout="));
    let time = time.and_then(|time| humantime::parse_duration(time).ok());
    time.unwrap_or(TIMEOUT).min(LONGEST).mul_f64(0.9)
}
