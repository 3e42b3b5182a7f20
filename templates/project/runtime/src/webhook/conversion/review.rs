//! The answer to a `ConversionReview`, by which the API server requests objects in another version.

use super::super::reply::Failure;
use axum::http::StatusCode;
use kube::core::Status;
use kube::core::conversion::{ConversionRequest, ConversionResponse, ConversionReview};
use serde_json::Value;

/// The maximum size of a request in bytes. A request may contain all objects of a page of a list,
/// each of up to 3 MiB, if `--webhook-memory` allows this size.
pub const LIMIT: usize = 64 << 20;

/// Converts all objects of a request or none, as the API server requires.
pub fn answer(
    convert: impl Fn(&Value, &str) -> anyhow::Result<Value>,
    body: &[u8],
) -> Result<Vec<u8>, Failure> {
    let bad = |why: String| Failure::new(StatusCode::BAD_REQUEST, why);
    let review: Value = serde_json::from_slice(body)
        .map_err(|error| bad(format!("the request cannot be read as JSON: {error}")))?;
    let of = ["apiVersion", "kind"].map(|key| review[key].as_str().unwrap_or_default());
    if of != ["apiextensions.k8s.io/v1", "ConversionReview"] {
        let said = "the request must be an apiextensions.k8s.io/v1 ConversionReview";
        return Err(bad(format!("{said}, and is `{}`", of.join(" "))));
    }
    let review: ConversionReview = serde_json::from_value(review)
        .map_err(|error| bad(format!("the ConversionReview cannot be read: {error}")))?;
    let mut request = ConversionRequest::from_review(review)
        .map_err(|_| bad("the ConversionReview has no request".to_owned()))?;
    let objects = std::mem::take(&mut request.objects);
    let to = request.desired_api_version.clone();
    let response = ConversionResponse::for_request(request);
    let converted: anyhow::Result<Vec<Value>> = objects
        .iter()
        .map(|object| {
            let converted = convert(object, &to);
            converted.map_err(|error| error.context(about(object, &to)))
        })
        .collect();
    let response = match converted {
        Ok(objects) => response.success(objects),
        Err(error) => {
            let why = format!("{error:#}");
            tracing::warn!("{why}");
            response.failure(Status::failure(&why, "Invalid"))
        }
    };
    serde_json::to_vec(&response.into_review()).map_err(|error| Failure::of_function(&error.into()))
}

fn about(object: &Value, to: &str) -> String {
    let text = |at| {
        object
            .pointer(at)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let (kind, from) = (text("/kind"), text("/apiVersion"));
    let name = [text("/metadata/namespace"), text("/metadata/name")];
    let name = name.join("/");
    let name = name.trim_start_matches('/');
    format!("{kind} {name} of {from} cannot be converted to {to}")
}
