//! Pods and Jobs that do not get well, and requests without an answer.

use super::{Plain, summary};
use serde_json::Value;

/// Returns the findings of a replay, each with its severity.
fn replayed(plain: &Plain, kind: &str, plan: &str) -> Vec<(String, String)> {
    let summary = summary(&plain.explore_kind(kind, &["--replay", plan]));
    assert_eq!(summary["reached"], 1, "{plan}: {summary:#}");
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let findings = summary["findings"].as_array().unwrap().iter();
    findings.map(|finding| (text(finding, "severity"), text(finding, "message"))).collect()
}

fn found(severity: &str, message: &str) -> Vec<(String, String)> {
    vec![(severity.to_owned(), message.to_owned())]
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_job_that_fails_is_no_success() {
    let sound = Plain::build("pipeline", None);
    assert_eq!(replayed(&sound, "pipeline", "unready:jobs.batch=failed@create"), []);
    assert_eq!(replayed(&sound, "pipeline", "unready:jobs.batch=slow@create"), []);
    let wrong = Plain::build("pipeline", Some("25-failed-is-done"));
    let claims = replayed(&wrong, "pipeline", "unready:jobs.batch=failed@create");
    let claim = "when jobs.batch fail, pipelines.example.com/nightly says that it is ready, and jobs.batch/nightly-";
    assert!(claims.len() == 1 && claims[0].1.starts_with(claim), "{claims:?}");
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn pods_that_are_not_well_are_seen_and_survived() {
    let sound = Plain::build("cellar", None);
    for trouble in ["crash@create", "unready@change", "crash@delete", "evicted@create", "node-gone@create"] {
        assert_eq!(replayed(&sound, "cellar", &format!("unready:statefulsets.apps={trouble}")), [], "{trouble}");
    }
    assert_eq!(replayed(&sound, "cellar", "unready:persistentvolumeclaims=pending@create"), []);
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_request_without_an_answer_stops_at_most_its_object() {
    let plan = "unanswered:patch:accounts.example.com/ann/status#1@create";
    let waits = "when a request is never answered, the operator waits for `patch accounts.example.com/ann/status` without a time limit";
    let limit = "set one, such as `tokio::time::timeout` around the pass: clients have none by default";
    let sound = Plain::build("account", None);
    assert_eq!(replayed(&sound, "account", plan), found("warning", &format!("{waits}; {limit}")));
    let locked = Plain::build("account", Some("34-one-lock-for-all"));
    let all = format!("{waits}, and works on no other object; {limit}");
    assert_eq!(replayed(&locked, "account", plan), found("error", &all));
}
