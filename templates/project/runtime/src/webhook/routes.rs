//! Requests over HTTP and their answers: a reply, or a status code with a text that the API server
//! shows to the user.

use super::metrics::Metrics;
use super::{Answer, Findings, Request, Webhook};
use axum::body::{Body, to_bytes};
use axum::extract::Request as HttpRequest;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing::post};
use futures::FutureExt;
use k8s_openapi::ByteString;
use kube::core::admission::AdmissionResponse;
use kube::core::response::{StatusDetails, StatusSummary};
use serde_json::Value;
use std::any::Any;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::time::{Duration, Instant};
use tokio::task::JoinError;
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

    /// Resumes the panic of a task, so that it is caught where the panics of all webhooks are
    /// caught.
    pub fn of_task<T>(ended: Result<Result<T, Self>, JoinError>) -> Result<T, Self> {
        ended.unwrap_or_else(|error| match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(_) => Err(Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "the operator is stopping",
            )),
        })
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

/// Makes the routes of all webhooks.
pub fn routes(webhooks: Vec<Webhook>, metrics: &Metrics) -> Router {
    let missing = async |uri: Uri| {
        let why = format!("no webhook is served at {}", uri.path());
        (StatusCode::NOT_FOUND, why)
    };
    let mut routes = Router::new().fallback(missing);
    for Webhook {
        path,
        limit,
        answer,
        ..
    } in webhooks
    {
        let (metrics, name) = (metrics.clone(), path.clone());
        metrics.show(&name);
        let respond = post(async move |request: HttpRequest| {
            let (begun, _under_way) = (Instant::now(), metrics.under_way(&name));
            let time = time_limit(request.uri());
            let answer = answered(request.into_body(), limit, answer);
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

async fn answered(body: Body, limit: usize, answer: Answer) -> Result<Vec<u8>, Failure> {
    let body = to_bytes(body, limit).await.map_err(|error| {
        let error = anyhow::Error::from(error);
        if format!("{error:#}").contains("length limit exceeded") {
            let why = format!("the request is longer than {limit} bytes");
            return Failure::new(StatusCode::PAYLOAD_TOO_LARGE, why);
        }
        let why = format!("the request ends early: {error:#}");
        Failure::new(StatusCode::BAD_REQUEST, why)
    })?;
    answer(body).await
}

fn response(webhook: &str, answer: Result<Vec<u8>, Failure>) -> Response {
    match answer {
        Ok(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
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
