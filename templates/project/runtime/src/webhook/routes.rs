//! Requests over HTTP and their answers: a reply, or a status code with a text that the API server
//! shows to the user.

use super::bodies::{Bodies, Hold, WINDOW};
use super::metrics::Metrics;
use super::{Answer, Asker, Findings, Request, Webhook};
use crate::connections::Connection;
use anyhow::Context;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request as HttpRequest;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing::post};
use futures::{FutureExt, StreamExt, stream};
use k8s_openapi::ByteString;
use kube::core::admission::AdmissionResponse;
use kube::core::response::{StatusDetails, StatusSummary};
use serde_json::Value;
use std::any::Any;
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// The time limit of a webhook if the API server does not send one.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The longest time for which the API server waits for any webhook.
const LONGEST: Duration = Duration::from_secs(30);

/// The reason why a request has no reply: a status code and a text.
#[derive(Debug)]
pub struct Failure {
    code: StatusCode,
    why: String,
}

impl Failure {
    pub fn new(code: StatusCode, why: impl Into<String>) -> Self {
        let why = why.into();
        Self { code, why }
    }

    pub fn of_function(error: &anyhow::Error) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}"))
    }

    fn of_panic(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let why = format!(
            "the webhook has panicked: {}",
            text.unwrap_or("without a message")
        );
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, why)
    }
}

/// The reply to a request.
pub struct Reply(Box<AdmissionResponse>);

impl Reply {
    pub fn allowed(request: &Request) -> Self {
        Self(Box::new(request.into()))
    }

    pub fn denied(request: &Request, why: String) -> Self {
        let mut response = AdmissionResponse::from(request).deny(why);
        response.result.status = Some(StatusSummary::Failure);
        response.result.code = StatusCode::UNPROCESSABLE_ENTITY.as_u16();
        Self(Box::new(response))
    }

    pub fn patched(request: &Request, patch: json_patch::Patch) -> Result<Self, Failure> {
        let response = AdmissionResponse::from(request);
        if patch.is_empty() {
            return Ok(Self(Box::new(response)));
        }
        let patched = response.with_patch(patch);
        patched
            .map(|response| Self(Box::new(response)))
            .map_err(|error| Failure::of_function(&error.into()))
    }

    pub fn found(request: &Request, kind: &str, group: &str, name: &str, found: Findings) -> Self {
        let dot = if group.is_empty() { "" } else { "." };
        let said = format!("{kind}{dot}{group} {name:?} is invalid: {found}");
        let (causes, warnings) = found.into_parts();
        let Self(mut response) = if causes.is_empty() {
            Self::allowed(request)
        } else {
            Self::denied(request, said)
        };
        response.warnings = (!warnings.is_empty()).then_some(warnings);
        if !causes.is_empty() {
            response.result.reason = "Invalid".into();
            response.result.details = Some(StatusDetails {
                name: name.to_owned(),
                group: group.to_owned(),
                kind: kind.to_owned(),
                uid: String::new(),
                causes,
                retry_after_seconds: 0,
            });
        }
        Self(response)
    }

    pub fn into_json(self) -> Result<Vec<u8>, Failure> {
        self.json()
            .map_err(|error| Failure::of_function(&error.into()))
    }

    fn json(mut self) -> Result<Vec<u8>, serde_json::Error> {
        let patch = self.0.patch.take();
        let mut review = serde_json::to_value(self.0.into_review())?;
        if let (Some(patch), Some(Value::Object(response))) = (patch, review.get_mut("response")) {
            // In base64: otherwise it would be a list of numbers, four times as long.
            response.insert("patch".into(), serde_json::to_value(ByteString(patch))?);
        }
        serde_json::to_vec(&review)
    }
}

/// What a request has to pass before its body is read.
#[derive(Clone)]
pub struct Door {
    pub bodies: Arc<Bodies>,
    pub asks_for_certificate: bool,
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
            let response = response(&name, answer);
            metrics.answered(&name, response.status(), begun.elapsed());
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
            let why = "only a client with a certificate of the --webhook-client-ca is answered";
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

/// Returns the length of the body, which is not read yet.
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

/// Returns a bit less than the time for which the API server waits, so that it still gets the
/// reason. The API server sends this time in the query: `?timeout=10s`.
fn time_limit(uri: &Uri) -> Duration {
    let mut parameters = uri.query().unwrap_or_default().split('&');
    let time = parameters.find_map(|parameter| parameter.strip_prefix("timeout="));
    let time = time.and_then(|time| humantime::parse_duration(time).ok());
    time.unwrap_or(TIMEOUT).min(LONGEST).mul_f64(0.9)
}
