//! Explorations in which pods, Jobs and persistent volume claims fail or never become ready.

use super::{Plain, brief, summary};
use serde_json::{Value, json};

/// Explores the operator with faults of the class `unready`, and returns the summary. Fails unless the exploration
/// reached every point at which it planned a fault.
fn explored(plain: &Plain, kind: &str) -> Value {
    let summary = summary(&plain.explore_kind(kind, &["--only", "unready"]));
    assert_eq!((&summary["reached"], &summary["left"]), (&summary["planned"], &json!([])), "{}", brief(&summary));
    summary
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_job_that_fails_is_no_success() {
    let summary = explored(&Plain::build("pipeline", Some("25-failed-is-done")), "pipeline");
    let findings = summary["findings"].as_array().unwrap();
    let claim = "when jobs.batch fail, pipelines.example.com/nightly reports that it is ready, but jobs.batch/nightly-";
    let is_claim = |finding: &Value| {
        finding["severity"] == "error" && finding["message"].as_str().is_some_and(|message| message.starts_with(claim))
    };
    assert!(findings.len() == 1 && is_claim(&findings[0]), "{}", brief(&summary));
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn pods_that_are_not_well_are_survived() {
    let summary = explored(&Plain::build("cellar", None), "cellar");
    assert_eq!((&summary["findings"], &summary["planned"]), (&json!([]), &json!(6)), "{}", brief(&summary));
}
