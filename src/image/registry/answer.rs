//! Reads the responses of a registry.

use crate::Error;
use http::Response;
use serde::Deserialize;
use std::io::Read;
use ureq::Body;

/// The maximum number of bytes to read from a response.
const LONGEST: u64 = 1_000_000;
/// The maximum number of errors to show from a response.
const SHOWN: usize = 5;

/// Returns the body of a response as text, cut off after [`LONGEST`] bytes.
pub(super) fn text(answer: &mut Response<Body>) -> String {
    let mut bytes = Vec::new();
    let _ = answer.body_mut().as_reader().take(LONGEST).read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Adds the status and the errors in a registry's response as causes to an error.
pub(super) fn with_reasons(error: Error, answer: &mut Response<Body>) -> Error {
    #[derive(Deserialize)]
    struct Reasons {
        errors: Vec<Reason>,
    }
    #[derive(Deserialize)]
    struct Reason {
        code: String,
        #[serde(default)]
        message: String,
    }
    let error = error.caused_by(format!("the registry answers with {}", answer.status()));
    let reasons = serde_json::from_str(&text(answer)).map_or_else(|_| Vec::new(), |Reasons { errors }| errors);
    reasons.iter().take(SHOWN).fold(error, |error, Reason { code, message }| {
        error.caused_by(format!("{code}: {message}").trim_end_matches([':', ' ']))
    })
}
