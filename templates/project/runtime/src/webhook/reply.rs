//! The answer to a request: a reply, or a status code with a text that the API server shows to the
//! user.

use super::findings::Findings;
use axum::http::StatusCode;
use k8s_openapi::ByteString;
use kube::core::admission::{AdmissionRequest, AdmissionResponse};
use kube::core::{DynamicObject, response::StatusDetails, response::StatusSummary};
use serde_json::Value;
use std::any::Any;

/// The request of a user: the operation, the user, the name of the object, and whether the request
/// is a dry run. The objects are not included; functions get them as separate arguments.
pub type Request = AdmissionRequest<DynamicObject>;

/// The reason why a request has no reply: a status code and a text.
#[derive(Debug)]
pub struct Failure {
    pub code: StatusCode,
    pub why: String,
}

impl Failure {
    pub fn new(code: StatusCode, why: impl Into<String>) -> Self {
        let why = why.into();
        Self { code, why }
    }

    pub fn of_function(error: &anyhow::Error) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}"))
    }

    pub fn of_panic(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let why = format!(
            "the webhook has panicked: {}",
            text.unwrap_or("without a message")
        );
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, why)
    }
}

/// The reply to an admission request.
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
