//! The answers of a registry.

use crate::Error;
use http::Response;
use serde::Deserialize;
use std::io::Read;
use ureq::Body;

/// The most bytes that are read of an answer.
const LONGEST: u64 = 1_000_000;
/// The most errors of an answer that are shown.
const SHOWN: usize = 5;

/// Returns the text of an answer, of at most a megabyte.
pub(super) fn text(answer: &mut Response<Body>) -> String {
    let mut bytes = Vec::new();
    let _ = answer.body_mut().as_reader().take(LONGEST).read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Adds the reasons of an answer to an error.
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
